import { createBudget, KiB, MiB } from '../budget.ts'

/** Budgets of the linter. */
// biome-ignore format: one line per budget
export const lintBudgets = {
  fileBytes: createBudget(16 * MiB, 'bytes', 'one manifest or YAML file', 'the largest manifests of modules have some hundred KiB', 'the file is not checked, and the reason is reported'),
  rcFileBytes: createBudget(64 * KiB, 'bytes', 'one .puppet-lint.rc', 'a line for each check takes two KiB', 'the run ends with an error'),
  steps: createBudget(20_000_000, 'items', 'tokens that the checks of a manifest read, with repetitions', 'each level of nesting reads the levels below it again; all steps take half a second', 'the manifest is not checked, and the reason is reported'),
  problems: createBudget(100_000, 'items', 'problems of one manifest', 'nobody reads more; nested definitions multiply problems', 'the manifest is not checked, and the reason is reported'),
  threadMs: createBudget(300_000, 'ms', 'the checks of 16 files on a thread', 'all steps of the largest manifest take a second', 'the files are checked one by one, and the reason is reported for a file that takes as long'),
  files: createBudget(200_000, 'items', 'files below the folders of one run', 'the largest control repositories with all modules have some ten thousand', 'the run ends with an error'),
}
