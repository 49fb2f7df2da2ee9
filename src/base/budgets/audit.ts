import { budget, KiB } from './budget.ts'

/** Budgets of the audit log. */
// biome-ignore format: one line per budget
export const audit = {
  waiting: budget(10_000, 'items', 'records that wait for the disk', 'the catalogs of half a minute at 300 a second; 5 MiB of memory', 'they are counted, and the log says how many are lost'),
  batch: budget(500, 'items', 'records that are written at once', 'their hashes take 3 ms', 'the rest is written after it'),
  text: budget(1000, 'characters', 'a text of a record: a name, a reason', 'a ref may have 255, an error a sentence or two', 'the rest is left out'),
  line: budget(64 * KiB, 'bytes', 'a line of the log, as it is read', 'ten texts of the longest, each character escaped', 'the line is no record'),
  pushedRefs: budget(100, 'items', 'refs of one push that the hooks tell of', 'a push of all branches', 'the first ones are told of'),
}
