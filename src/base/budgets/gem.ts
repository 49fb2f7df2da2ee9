import { createBudget, MiB } from './budget.ts'

/** Budgets of gems that are installed for Ruby code of modules. */
// biome-ignore format: one line per budget
export const gemBudgets = {
  index: createBudget(8 * MiB, 'bytes', 'the list of versions of one gem from a gem server', 'the longest list of rubygems.org has 1 MiB', 'the gem is not installed'),
  releases: createBudget(20_000, 'items', 'versions of one gem on a gem server', 'no gem of rubygems.org has more than 4,000 versions', 'the gem is not installed'),
  steps: createBudget(10_000, 'items', 'versions that are tried to satisfy the dependencies of a gem', 'most gems need one for each dependency', 'the gem is not installed'),
  archive: createBudget(64 * MiB, 'bytes', 'the file of a gem', 'gems in pure Ruby have up to 10 MiB', 'the gem is not installed'),
  bytes: createBudget(256 * MiB, 'bytes', 'all files of a gem, unpacked', 'gems in pure Ruby have up to 50 MiB', 'the gem is not installed'),
  metadata: createBudget(4 * MiB, 'bytes', 'the metadata of a gem, unpacked', 'the longest metadata lists 30,000 files in 2 MiB', 'the gem is not installed'),
  gemspec: createBudget(4 * MiB, 'bytes', 'an installed gemspec', 'the same as the metadata of a gem', 'the gem is treated as not installed'),
  installed: createBudget(10_000, 'items', 'gems in one directory', 'a node has a few dozen gems', 'gems cannot be listed or installed'),
  requestTime: createBudget(300_000, 'ms', 'one request to a gem server', 'the largest gem takes half a minute on a slow line', 'the request is ended, and the gem is not installed'),
}
