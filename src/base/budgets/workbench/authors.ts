import { createBudget, MiB } from '../budget.ts'

/** Budgets of the tools for authors of Puppet code. */
// biome-ignore format: one line per budget
export const workbenchBudgets = {
  tests: createBudget(2000, 'items', 'tests in one test manifest', 'a large suite has a few hundred tests in a file', 'the file is rejected'),
  parsedFiles: createBudget(4000, 'items', 'parsed manifests in memory of the linter', 'a control repository with its modules has up to 3,000', 'the least recently used one is parsed again'),
  editedFiles: createBudget(200, 'items', 'parsed manifests in memory of a language server', 'a person edits a few files, whose classes name some dozens', 'the least recently used one is parsed again'),
  siteManifests: createBudget(1000, 'items', 'site manifests that are searched for a definition', 'a control repository has a few', 'definitions in further ones are not found'),
  relatedClasses: createBudget(200, 'items', 'classes that the linter follows from a variable by inheritance', 'classes inherit one or two others', 'the variable is not reported'),
  comparedNames: createBudget(20_000, 'items', 'names compared for suggestions in the semantic problems of a file', 'a few unknown names with some hundred known ones', 'further problems have no suggestion'),
  keyPatterns: createBudget(1000, 'items', 'interpolated keys of lookups, or patterns in lookup_options', 'a large control repository has some dozens', 'keys and values of data are not reported'),
  typeParts: createBudget(2000, 'items', 'names in a data type and in its aliases', 'the largest types of modules have some hundred', 'values of the type are not checked'),
  folderEntries: createBudget(100_000, 'items', 'files and folders below a folder of code', 'the manifests of a large module are a few hundred', 'further files are ignored'),
  factsBytes: createBudget(8 * MiB, 'bytes', 'a file of facts in FacterDB', 'the largest has 100 KiB', 'the test of the system fails'),
  factsValues: createBudget(100_000, 'items', 'values in a file of facts in FacterDB', 'a system has about 1,000 facts', 'the test of the system fails'),
  shownValues: createBudget(10_000, 'items', 'values of Hiera keys in memory of a language server', 'a file has some dozen parameters', 'all values are looked up again'),
  dataFileCharacters: createBudget(1 * MiB, 'characters', 'a file of Hiera data, or a metadata.json, that a language server checks', 'the largest files of data have some hundred KB', 'the file is not checked'),
  completions: createBudget(2000, 'items', 'completions of keys in one response of a language server', 'editors filter the list while a person types', 'further keys are left out'),
  inlayHints: createBudget(500, 'items', 'parameters for which one response of a language server shows data', 'the largest classes have 200 parameters', 'further parameters have no hint'),
}
