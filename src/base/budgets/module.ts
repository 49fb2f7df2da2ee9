import { budget, GiB, KiB, MiB } from './budget.ts'

/** Budgets of a Puppetfile, and of one module that it names. */
// biome-ignore format: one line per budget
export const module = {
  puppetfile: budget(1 * MiB, 'bytes', 'a Puppetfile', 'a line of 100 bytes for each of 10,000 modules; the largest known have 300', 'the push is refused, or the environment stays at its last commit'),
  evaluation: budget(20_000, 'ms', 'the Ruby of a Puppetfile, with the start of its interpreter', 'a Puppetfile of 200 modules takes some ms, the interpreter a second on a busy machine', 'its interpreter is ended, and the environment stays at its last commit'),
  declarations: budget(2000, 'items', 'what one Puppetfile declares: modules, folders of modules, Forges', 'the largest known have 300 modules', 'the Puppetfile is refused'),
  name: budget(100, 'characters', "a module's name, and each part of its path", 'longer ones cannot be told apart in a list; file systems take 255 bytes', 'the Puppetfile is refused'),
  words: budget(2048, 'characters', 'a text of a Puppetfile: an address, a version, the name of a branch', 'addresses of Git hosts have some hundred', 'the Puppetfile is refused'),
  evaluated: budget(4 * MiB, 'characters', 'all that a Puppetfile declares, as JSON', 'as long as the longest Puppetfile, four times over', 'the Puppetfile is refused'),
  atOnce: budget(8, 'at once', 'modules that are fetched at the same time, for all environments', 'each is a process or two, and Git hosts bound what one client asks', 'they wait in turn'),
  fetchTime: budget(300_000, 'ms', 'one talk with a host of modules: a fetch of git, or an archive', 'a first fetch of 300 MiB takes half a minute on a usual line', 'it is ended, and the environment stays at its last commit', 'module_fetch_timeout'),
  fetchedBytes: budget(1 * GiB, 'bytes', 'one fetch of a module by git, as it comes', 'the whole history of the largest modules has 50 MiB; of some with binaries 500 MiB', 'it is ended, and nothing of it is kept', 'max_module_fetch_bytes'),
  answer: budget(4 * MiB, 'bytes', 'an answer of the Forge about a module', 'a module with 200 releases takes 200 KiB, its texts for people up to 1 MiB', 'the module is not fetched'),
  answerItems: budget(200_000, 'items', 'the values in such an answer', 'each of 200 releases has some hundred', 'the module is not fetched'),
  pages: budget(50, 'items', 'pages of a list of releases', 'a page has 100 releases, and no module has a thousand', 'the releases of the first ones are known'),
  archive: budget(128 * MiB, 'bytes', 'an archive of a module, as it comes', 'of the modules of the Forge the largest have 30 MiB', 'it is not fetched', 'max_module_archive_bytes'),
  bytes: budget(512 * MiB, 'bytes', 'all files of a module together, unpacked', 'half of what may be loaded of an environment', 'the module is refused, before anything of it is written', 'max_module_bytes'),
  ratio: budget(200, 'bytes', 'what a byte of an archive comes to, beyond the first MiB', 'manifests and JSON come to ten; an empty file of any length to a thousand', 'the archive is refused as a bomb'),
  files: budget(50_000, 'items', 'files, folders and links of a module', 'a fifth of what an environment may have; large modules have 2,000', 'the module is refused'),
  path: budget(1 * KiB, 'bytes', "a path within a module, and a link's target", 'the longest known have 200', 'the module is refused'),
  depth: budget(64, 'levels', 'folders within folders of a module', 'the deepest have twelve', 'the module is refused'),
}
