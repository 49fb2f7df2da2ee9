import { createBudget, GiB, KiB, MiB } from './budget.ts'

/** Budgets of a Puppetfile and of each of its modules. */
// biome-ignore format: one line per budget
export const moduleBudgets = {
  puppetfile: createBudget(1 * MiB, 'bytes', 'a Puppetfile', 'a line of 100 bytes for each of 10,000 modules; the largest known have 300', 'the push is rejected, or the environment stays at its last commit'),
  evaluation: createBudget(20_000, 'ms', 'the evaluation of a Puppetfile in Ruby, including the start of the interpreter', 'a Puppetfile of 200 modules takes a few ms, the interpreter a second on a busy machine', 'the interpreter is ended, and the environment stays at its last commit'),
  declarations: createBudget(2000, 'items', 'declarations in one Puppetfile: modules, module directories and Forges', 'the largest known have 300 modules', 'the Puppetfile is rejected'),
  name: createBudget(100, 'characters', 'the name of a module, and each part of its path', 'longer names are indistinguishable in a list; file systems allow 255 bytes', 'the Puppetfile is rejected'),
  words: createBudget(2048, 'characters', 'a string in a Puppetfile: a URL, a version or a branch name', 'URLs of Git hosts have some hundred characters', 'the Puppetfile is rejected'),
  evaluated: createBudget(4 * MiB, 'characters', 'all declarations of a Puppetfile as JSON', 'four times the longest Puppetfile', 'the Puppetfile is rejected'),
  atOnce: createBudget(8, 'at once', 'modules being fetched, for all environments', 'each takes one or two processes, and Git hosts limit the requests of a client', 'further modules wait in turn'),
  fetchTime: createBudget(300_000, 'ms', 'one exchange with a module host: a fetch by git, or an archive', 'a first fetch of 300 MiB takes half a minute on a common line', 'the fetch is ended, and the environment stays at its last commit', 'module_fetch_timeout'),
  fetchedBytes: createBudget(1 * GiB, 'bytes', 'the data of one fetch of a module by git', 'the whole history of the largest modules has 50 MiB, or 500 MiB with binaries', 'the fetch is ended, and nothing of it is kept', 'max_module_fetch_bytes'),
  answer: createBudget(4 * MiB, 'bytes', 'an answer of the Forge about a module', 'a module with 200 releases takes 200 KiB, its documentation up to 1 MiB', 'the module is not fetched'),
  answerItems: createBudget(200_000, 'items', 'values in an answer of the Forge', 'each of 200 releases has some hundred', 'the module is not fetched'),
  pages: createBudget(50, 'items', 'pages of a list of releases', 'a page has 100 releases, and no module has a thousand', 'only the releases of the first pages are known'),
  resolvedModules: createBudget(500, 'items', 'modules that the dependencies of a module name, for `plumb module install`', 'the largest modules need thirty, and name a hundred in all releases', 'the installation fails'),
  resolvedReleases: createBudget(100_000, 'items', 'releases of all these modules', 'a hundred modules of 200 releases have a fifth of it', 'the installation fails'),
  resolvedPairs: createBudget(4_000_000, 'items', 'pairs of a dependency and a release that meets it', 'common modules have ten thousand', 'the installation fails'),
  resolutionSteps: createBudget(200_000, 'items', 'releases that the search for a consistent set tries', 'a common search takes fifty; all steps take a second', 'the installation fails'),
  cachedFiles: createBudget(200, 'items', 'files in the cache of `plumb module install`, two for each release', 'a hundred releases of 300 KiB take 30 MiB; a workstation needs some ten', 'the oldest releases are removed, and `--offline` does not find them'),
  searchPages: createBudget(5, 'items', 'pages of the results of a search on the Forge', 'a page has 50 modules, the best first', 'the other modules are not listed'),
  packageFiles: createBudget(50_000, 'items', 'files and folders in the directory of `plumb module build`', 'the maximum of an archive that can be installed', 'the build fails'),
  ignorePatterns: createBudget(10_000, 'items', 'patterns in a .pdkignore, .pmtignore or .gitignore', 'usual files have thirty', 'the build fails'),
  archive: createBudget(128 * MiB, 'bytes', 'an archive of a module', 'the largest modules of the Forge have 30 MiB', 'the archive is not fetched', 'max_module_archive_bytes'),
  bytes: createBudget(512 * MiB, 'bytes', 'all files of a module, unpacked', 'half of the loaded bytes of an environment', 'the module is rejected before any of it is written', 'max_module_bytes'),
  ratio: createBudget(200, 'bytes', 'unpacked bytes for each byte of an archive, beyond the first MiB', 'manifests and JSON have a ratio of ten, an empty file of any length a ratio of a thousand', 'the archive is rejected as a decompression bomb'),
  files: createBudget(50_000, 'items', 'files, folders and links of a module', "a fifth of an environment's maximum; large modules have 2,000", 'the module is rejected'),
  path: createBudget(1 * KiB, 'bytes', 'a path inside a module, and the target of a link', 'the longest known have 200 bytes', 'the module is rejected'),
  depth: createBudget(64, 'levels', 'nested folders of a module', 'the deepest have twelve', 'the module is rejected'),
}
