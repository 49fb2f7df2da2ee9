import { type Budgets, KiB } from './budget.ts'

/** Budgets of the audit log. */
export const audit = {
  waiting: {
    bound: 10_000,
    unit: 'items',
    of: 'records that wait for the disk',
    reason: 'the catalogs of half a minute at 300 a second; 5 MiB of memory',
    beyond: 'they are counted, and the log says how many are lost',
  },
  batch: {
    bound: 500,
    unit: 'items',
    of: 'records that are written at once',
    reason: 'their hashes take 3 ms',
    beyond: 'the rest is written after it',
  },
  text: {
    bound: 1000,
    unit: 'characters',
    of: 'a text of a record: a name, a reason',
    reason: 'a ref may have 255, an error a sentence or two',
    beyond: 'the rest is left out',
  },
  line: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'a line of the log, as it is read',
    reason: 'ten texts of the longest, each character escaped',
    beyond: 'the line is no record',
  },
  pushedRefs: {
    bound: 100,
    unit: 'items',
    of: 'refs of one push that the hooks tell of',
    reason: 'a push of all branches',
    beyond: 'the first ones are told of',
  },
} as const satisfies Budgets
