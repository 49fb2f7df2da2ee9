import { createBudget, MiB } from './budget.ts'

/** Budgets of programs and of Ruby code that an agent runs. */
// biome-ignore format: one line per budget
export const machineBudgets = {
  resumptions: createBudget(3, 'items', 'consecutive attempts to resume a download that receive no data', 'a server that restarts, or a network that fails, is soon back or stays away', 'the file fails, and stays as it was'),
  shownDiff: createBudget(16 * MiB, 'bytes', 'the old or the new content of a file whose difference `show_diff` logs', 'both are held in memory as text', 'the file changes, and the log contains the reason for the missing difference'),
  programOutput: createBudget(64 * MiB, 'bytes', "output of a program run by a module's Ruby", 'it must fit into the memory of Ruby several times', 'the program is ended, and Ruby gets an error'),
  logLines: createBudget(5000, 'items', "log lines of one call of a module's Ruby", 'a provider logs a few lines for each resource, and the report contains them all', 'the other lines are omitted, and a line reports that'),
  logText: createBudget(16 * MiB, 'characters', "total length of the log lines of one call of a module's Ruby", 'a report of a run is not larger', 'the other lines are omitted, and a line reports that'),
  accountLookup: createBudget(10_000, 'ms', 'the lookup of a user or a group by the program getent, if no file contains it', 'a network directory answers within a second, or not at all', 'the user or group does not exist'),
  externalFactTime: createBudget(300_000, 'ms', 'the time of an executable external fact', 'the same as in Facter', 'the program is ended, and its facts are omitted'),
  externalFactOutput: createBudget(64 * MiB, 'bytes', 'output of an executable external fact', 'a thousand times the facts of a node', 'the program is ended, and its facts are omitted'),
}
