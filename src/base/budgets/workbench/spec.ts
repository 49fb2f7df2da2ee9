import { createBudget, MiB } from '../budget.ts'

/** Budgets of one run of `plumb test`. Suites are trusted code; the limits find suites that never end. */
// biome-ignore format: one line per budget
export const specBudgets = {
  request: createBudget(64 * MiB, 'bytes', 'one request of a suite to the compiler', 'the facts of a node take 50 KB; a pre_condition may contain a site manifest', 'the connection is closed, and its examples fail with a reason'),
  requestTime: createBudget(120_000, 'ms', 'the time for one request of a suite to the compiler', 'the largest catalogs take a second', 'the compiler thread is ended, and the example fails with a reason'),
  rubyOutput: createBudget(64 * MiB, 'bytes', 'errors that Ruby writes before RSpec starts', 'RSpec reports errors of spec files itself', 'further output is discarded'),
  cachedResources: createBudget(5_000, 'items', 'resources of the catalogs that one compiler thread keeps', 'an example asks for the relationships of the catalog that it has just compiled; Ruby keeps the catalogs that it uses', 'the least recently used catalog is compiled again'),
  scratch: createBudget(64 * MiB, 'bytes', 'files that Ruby functions write into vardir during a suite', 'a generated password takes 50 bytes', 'Ruby raises ENOSPC, and the example fails'),
  fixturesFile: createBudget(1 * MiB, 'bytes', '.fixtures.yml or .fixtures.lock of a module', 'a fixture takes a line; the largest files have 5 KB', 'the tests do not run, and the error names the file'),
  fixtures: createBudget(1_000, 'items', 'fixtures of a module', 'the largest modules have 30', 'the tests do not run, and the error names the file'),
  reads: createBudget(200_000, 'items', 'paths in the record of the files that the tests of a module read', 'a suite of 100 files reads 50 paths in each', 'the record is discarded, and the next run of --only-changed runs all tests'),
  connections: createBudget(256, 'at once', 'connections of Ruby processes to the compiler', 'a suite has one process per core, and each has one connection', 'a further connection is closed'),
}
