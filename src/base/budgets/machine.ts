import { type Budgets, MiB } from './budget.ts'

/** Budgets of the programs and the Ruby that an agent runs on its machine. */
export const machine = {
  resumptions: {
    bound: 3,
    unit: 'items',
    of: 'requests for the rest of a file whose download ended early, one after the other, that bring nothing',
    reason: 'a server that starts anew, or a way that breaks, is there again at once or is away',
    beyond: 'the file fails, and stays as it was',
  },
  shownDiff: {
    bound: 16 * MiB,
    unit: 'bytes',
    of: 'the old or the new content of a file whose difference `show_diff` logs',
    reason: 'both are held in memory as text',
    beyond: 'the file changes, and the log names the reason why there is no difference',
  },
  programOutput: {
    bound: 64 * MiB,
    unit: 'bytes',
    of: 'what a program prints that Ruby of a module runs',
    reason: 'it has to fit into the memory of Ruby several times',
    beyond: 'the program is ended, and what it printed is an error',
  },
  logLines: {
    bound: 5000,
    unit: 'items',
    of: 'the lines that one call of a module’s Ruby logs',
    reason: 'a provider says a few of each resource; a report has them all',
    beyond: 'the rest is left out, which a line says',
  },
  logText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'the lines that one call of a module’s Ruby logs, together',
    reason: 'a report of a run is not larger',
    beyond: 'the rest is left out, which a line says',
  },
  accountLookup: {
    bound: 10_000,
    unit: 'ms',
    of: 'the question for a user or a group that is in no file, by the program getent',
    reason: 'a directory over a network answers within a second, or not at all',
    beyond: 'there is no such user or group',
  },
  externalFactTime: {
    bound: 300_000,
    unit: 'ms',
    of: 'a program that is an external fact',
    reason: 'Facter gives it as long',
    beyond: 'the program is ended, and its facts are left out',
  },
  externalFactOutput: {
    bound: 64 * MiB,
    unit: 'bytes',
    of: 'what a program prints that is an external fact',
    reason: 'a thousand times the facts of a node',
    beyond: 'the program is ended, and its facts are left out',
  },
} as const satisfies Budgets
