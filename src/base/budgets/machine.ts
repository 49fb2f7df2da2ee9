import { createBudget, GiB, MiB } from './budget.ts'

/** Budgets of programs and of Ruby code that an agent runs. */
// biome-ignore format: one line per budget
export const machineBudgets = {
  resumptions: createBudget(3, 'items', 'consecutive attempts to resume a download that receive no data', 'a server that restarts, or a network that fails, is soon back or stays away', 'the file fails, and stays as it was'),
  registryExport: createBudget(256 * MiB, 'bytes', 'the part of a registry export that is read: one key, or a key with its subkeys', 'the whole key SOFTWARE of a Windows has 200 MiB', 'the resource or the fact fails'),
  registryKeys: createBudget(100_000, 'items', 'keys below a registry key that is read with its subkeys', 'the largest lists that are read, installed programs and services, have some thousand', 'the resource or the fact fails'),
  registryTime: createBudget(120_000, 'ms', 'one call of reg.exe', 'an export of the key SOFTWARE takes 20 s on a slow disk', 'the program is ended, and the resource or the fact fails'),
  taskFile: createBudget(MiB, 'bytes', 'the XML of a scheduled task', 'tasks of Windows have less than 10 KiB', 'the resource fails, and a list omits the task'),
  taskNesting: createBudget(64, 'levels', 'nested elements in the XML of a scheduled task', 'tasks have eight', 'the resource fails, and a list omits the task'),
  tasks: createBudget(10_000, 'items', 'scheduled tasks and folders in a list', 'a Windows has some hundred', 'the list fails'),
  taskTime: createBudget(60_000, 'ms', 'one call of schtasks.exe', 'it takes less than a second, but waits for the task scheduler after a boot', 'the program is ended, and the resource fails'),
  accessTime: createBudget(300_000, 'ms', 'one call of icacls.exe, net.exe or PowerShell about accounts, owners and access lists', 'an account of a domain whose controllers cannot be reached takes 30 s; the access lists of a large folder take a minute', 'the program is ended, and the resource or the command fails'),
  userRights: createBudget(MiB, 'bytes', 'the export of the rights of all accounts of a Windows by secedit.exe', 'a Windows has 45 rights with a few accounts each', 'the resource fails'),
  shownDiff: createBudget(16 * MiB, 'bytes', 'the old or the new content of a file whose difference `show_diff` logs', 'both are held in memory as text', 'the file changes, and the log contains the reason for the missing difference'),
  programOutput: createBudget(64 * MiB, 'bytes', "output of a program run by a module's Ruby", 'it must fit into the memory of Ruby several times', 'the program is ended, and Ruby gets an error'),
  logLines: createBudget(5000, 'items', "log lines of one call of a module's Ruby", 'a provider logs a few lines for each resource, and the report contains them all', 'the other lines are omitted, and a line reports that'),
  logText: createBudget(16 * MiB, 'characters', "total length of the log lines of one call of a module's Ruby", 'a report of a run is not larger', 'the other lines are omitted, and a line reports that'),
  accountLookup: createBudget(10_000, 'ms', 'the lookup of a user or a group by the program getent, if no file contains it', 'a network directory answers within a second, or not at all', 'the user or group does not exist'),
  externalFactTime: createBudget(300_000, 'ms', 'the time of an executable external fact', 'the same as in Facter', 'the program is ended, and its facts are omitted'),
  externalFactOutput: createBudget(64 * MiB, 'bytes', 'output of an executable external fact', 'a thousand times the facts of a node', 'the program is ended, and its facts are omitted'),
  rootFile: createBudget(MiB, 'bytes', 'a file of a root directory from which `plumb facts --root` reads facts', 'a release file has one KiB, and a list of users 100 KiB', 'a file of the system is ignored; an external fact is an error'),
  rootFiles: createBudget(16 * MiB, 'bytes', 'all files of a root directory from which `plumb facts --root` reads facts', 'a thousand times the facts of a node', 'the other files are ignored; an external fact is an error'),
  rootNames: createBudget(10_000, 'items', 'the names in a directory of external facts that `plumb facts --root` reads', 'a node has ten such files', 'the command fails'),
  secretPatterns: createBudget(4 * MiB, 'bytes', 'all secrets and their encoded forms for which `plumb doctor` searches', 'the search holds eighteen times as many bytes in memory', 'the longest secrets are not searched, and a finding reports their number'),
  secretFile: createBudget(MiB, 'bytes', 'the file of the option --secrets', 'ten thousand secrets', 'the command fails'),
  secretSearch: createBudget(GiB, 'bytes', 'the files that `plumb doctor` searches for secrets if it runs all checks', 'a few seconds; the state of a node is smaller', 'a finding names the directories that were not searched'),
  secretSearchTime: createBudget(15_000, 'ms', 'the time of a search for secrets if `plumb doctor` runs all checks', 'half the time of a check, for slow disks', 'a finding names the directories that were not searched'),
  searchedGzip: createBudget(4 * GiB, 'bytes', 'the content of a gzip file that `plumb doctor` searches for secrets', 'a compressed log or archive is smaller; a hostile file would take days', 'the rest of the content is not searched, and a finding names the file'),
  foundSecrets: createBudget(100, 'items', 'copies of secrets that `plumb doctor` lists', 'a longer list is hard to read', 'a finding reports the number of the others'),
}
