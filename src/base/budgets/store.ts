import { budget, GiB, MiB } from './budget.ts'

/** Budgets of the store. */
// biome-ignore format: one line per budget
export const store = {
  nodeRows: budget(100_000, 'items', 'the rows of one answer about all nodes, for the gate, the console and `plumb node list`', 'each node has one row, and a few for its environments and commits', 'the rest is left out: such a node belongs to the environment of its last report'),
  queueBytes: budget(GiB, 'bytes', 'commands that wait on disk to be stored', 'two days of a thousand nodes while the database is away', '503; agents send the next one at their next run'),
  pendingBytes: budget(64 * MiB, 'bytes', 'facts, and as much again for exported resources, that the server remembers until they are stored', 'a few hundred nodes at once; whoever asks meanwhile gets what is newest', 'the oldest are found once they are stored'),
  catchUpTime: budget(30_000, 'ms', 'the wait of a catalog that collects, after a start, for commands left in the queue', 'less than a thread waits for an answer', 'the compilation fails; the agent applies its last catalog'),
  sharedTime: budget(5_000, 'ms', 'the wait of a catalog that exports until a database that servers share has it', 'another server may compile what collects it', 'it is answered, and stored later'),
  moveTime: budget(60_000, 'ms', 'the wait for one file of facts or exports that moves into the store at a start', 'a database that takes nothing is not to keep the server from starting', 'the files stay, and move at the next start'),
  openTime: budget(5_000, 'ms', 'the wait of a start for a PostgreSQL that neither answers nor refuses', 'a server whose database is away serves its catalogs', 'the server starts; commands wait on disk, and the database is tried again'),
  queryTime: budget(600_000, 'ms', 'a query of the store, until its first rows or the next ones', "PuppetDB's own default", 'the query is ended, and answered 500'),
  puppetDbRequests: budget(32, 'at once', 'requests to the PuppetDB behind the server, until their answers begin', 'PuppetDB has 50 connections to its database for queries and commands by default', 'they wait in turn'),
  puppetDbWait: budget(60_000, 'ms', 'the wait of a request for its turn at the PuppetDB behind the server', 'its body is in memory meanwhile, and an agent would rather be told', '503; soft_write_failure counts'),
  puppetDbCommandTime: budget(600_000, 'ms', 'the wait of a client of ours until the PuppetDB behind the server has processed its command', 'as long as a query may take', 'it is answered that the command was taken, and is not processed yet'),
  keptAnswers: budget(GiB, 'bytes', 'answers that catalogs were made with, kept by their digests', 'a thousand nodes ask for a list of 10 KiB each, and the list changes a hundred times', 'those that were used longest ago are forgotten; what was asked stays recorded'),
  readers: budget(4, 'items', 'processes that answer questions', 'a slow question has one for itself; more than the cores of most machines serve nobody faster', 'questions wait for one another'),
  readerMemory: budget(512 * MiB, 'bytes', 'memory of JavaScript, and as much of SQLite, for one process that answers questions', 'an answer of a million rows is sent in pieces of some hundred', 'the question is answered 500'),
  archiveBytes: budget(8 * GiB, 'bytes', 'an archive of PuppetDB that is imported, compressed', 'ten thousand nodes with two weeks of reports; it is read as it comes', '413'),
}
