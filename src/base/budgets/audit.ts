import { createBudget, KiB } from './budget.ts'

/** Budgets of the audit log. */
// biome-ignore format: one line per budget
export const auditBudgets = {
  waiting: createBudget(10_000, 'items', 'records waiting for the disk', 'half a minute of catalogs at 300 per second; 5 MiB of memory', 'further records are counted, and the log reports how many are lost'),
  batch: createBudget(500, 'items', 'records written in one batch', 'their hashes take 3 ms', 'the other records follow in the next batch'),
  text: createBudget(1000, 'characters', 'a text in a record: a name or a reason', 'a ref may have 255 characters, an error message has one or two sentences', 'the text is truncated'),
  line: createBudget(64 * KiB, 'bytes', 'a line of the log when it is read', 'ten texts of maximum length, with each character escaped', 'the line is not read as a record'),
  secrets: createBudget(50, 'items', 'secrets of one catalog in a record', 'a line has at most 64 KiB', 'the other secrets follow in further records'),
  pushedRefs: createBudget(100, 'items', 'refs of one push in the audit log', 'a push of all branches', 'only the first refs are recorded'),
}
