import { createBudget, MiB } from '../budget.ts'

/** Budgets of one run of `plumb test`. Suites are trusted code; the limits find suites that never end. */
// biome-ignore format: one line per budget
export const specBudgets = {
  request: createBudget(64 * MiB, 'bytes', 'one request of a suite to the compiler', 'the facts of a node take 50 KB; a pre_condition may contain a site manifest', 'the connection is closed, and its examples fail with a reason'),
  requestTime: createBudget(120_000, 'ms', 'the time for one request of a suite to the compiler', 'the largest catalogs take a second', 'the compiler thread is ended, and the example fails with a reason'),
  rubyOutput: createBudget(64 * MiB, 'bytes', 'errors that Ruby writes before RSpec starts', 'RSpec reports errors of spec files itself', 'further output is discarded'),
  cachedResources: createBudget(5_000, 'items', 'resources of the catalogs that one compiler thread keeps', 'an example asks for the relationships of the catalog that it has just compiled; Ruby keeps the catalogs that it uses', 'the least recently used catalog is compiled again'),
  connections: createBudget(256, 'at once', 'connections of Ruby processes to the compiler', 'a suite has one process per core, and each has one connection', 'a further connection is closed'),
}
