import { budget, MiB } from './budget.ts'

/** Budgets of the programs and the Ruby that an agent runs on its machine. */
// biome-ignore format: one line per budget
export const machine = {
  resumptions: budget(3, 'items', 'requests for the rest of a file whose download ended early, one after the other, that bring nothing', 'a server that starts anew, or a way that breaks, is there again at once or is away', 'the file fails, and stays as it was'),
  shownDiff: budget(16 * MiB, 'bytes', 'the old or the new content of a file whose difference `show_diff` logs', 'both are held in memory as text', 'the file changes, and the log names the reason why there is no difference'),
  programOutput: budget(64 * MiB, 'bytes', 'what a program prints that Ruby of a module runs', 'it has to fit into the memory of Ruby several times', 'the program is ended, and what it printed is an error'),
  logLines: budget(5000, 'items', 'the lines that one call of a module’s Ruby logs', 'a provider says a few of each resource; a report has them all', 'the rest is left out, which a line says'),
  logText: budget(16 * MiB, 'characters', 'the lines that one call of a module’s Ruby logs, together', 'a report of a run is not larger', 'the rest is left out, which a line says'),
  accountLookup: budget(10_000, 'ms', 'the question for a user or a group that is in no file, by the program getent', 'a directory over a network answers within a second, or not at all', 'there is no such user or group'),
  externalFactTime: budget(300_000, 'ms', 'a program that is an external fact', 'Facter gives it as long', 'the program is ended, and its facts are left out'),
  externalFactOutput: budget(64 * MiB, 'bytes', 'what a program prints that is an external fact', 'a thousand times the facts of a node', 'the program is ended, and its facts are left out'),
}
