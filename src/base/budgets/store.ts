import { createBudget, GiB, MiB } from './budget.ts'

/** Budgets of the store. */
// biome-ignore format: one line per budget
export const storeBudgets = {
  nodeRows: createBudget(100_000, 'items', 'rows of one query about all nodes, for the gate, the console and `plumb node list`', 'each node has one row, and a few for its environments and commits', 'the other rows are omitted: such a node belongs to the environment of its last report'),
  queueBytes: createBudget(GiB, 'bytes', 'commands on disk waiting for the database', 'two days of a thousand nodes without the database', '503; agents send new commands at their next run'),
  pendingBytes: createBudget(64 * MiB, 'bytes', 'facts in memory until they are stored, and as much again for exported resources', 'some hundred nodes at the same time; queries meanwhile return the newest data', 'the oldest are found only after they are stored'),
  catchUpTime: createBudget(30_000, 'ms', 'the wait of a catalog that collects resources, after a start, for commands in the queue', 'shorter than the time a compile thread waits for an answer', 'the compilation fails; the agent applies its cached catalog'),
  sharedTime: createBudget(5_000, 'ms', 'the wait of a report, and of a catalog that exports resources, for a database shared by servers', 'another server may compile a catalog that collects the exports, and the disk of this server may be lost', 'the request is answered; the data is on disk, and stored later'),
  moveTime: createBudget(60_000, 'ms', 'the wait for one file of facts or exports that is moved into the store at a start', 'a blocked database must not keep the server from starting', 'the files stay, and are moved at the next start'),
  openTime: createBudget(5_000, 'ms', 'the wait at a start for a PostgreSQL that does not respond', 'a server without its database serves catalogs', 'the server starts; commands wait on disk, and the connection is retried'),
  queryTime: createBudget(600_000, 'ms', 'a store query, until its first or next rows', 'the default of PuppetDB', '500, and the query is ended'),
  puppetDbRequests: createBudget(32, 'at once', 'requests to the PuppetDB behind the server, until their answers begin', 'PuppetDB has 50 database connections for queries and commands by default', 'further requests wait in turn'),
  puppetDbWait: createBudget(60_000, 'ms', 'the wait of a request for its turn at the PuppetDB behind the server', 'its body is in memory meanwhile, and the agent needs an answer', '503; soft_write_failure applies'),
  puppetDbCommandTime: createBudget(600_000, 'ms', 'the wait of a client until the PuppetDB behind the server has processed its command', 'the maximum time of a query', 'the answer states that the command is accepted, and not processed yet'),
  keptAnswers: createBudget(GiB, 'bytes', 'external data used by catalogs, stored by digest', 'a thousand nodes with a list of 10 KiB each, changed a hundred times', 'the least recently used data is removed; the requests stay recorded'),
  replicaLag: createBudget(10_000, 'ms', 'the time that a read replica of PostgreSQL may be behind its primary', 'a replica usually replays a change within a second, and dashboards show runs of minutes', 'the replica is skipped; another replica or the primary answers'),
  replicaTime: createBudget(2_000, 'ms', 'the wait for a connection or a check of a read replica', 'a replica that is slower to connect would delay queries more than the primary', 'the replica is skipped; another replica or the primary answers'),
  readers: createBudget(4, 'items', 'processes for queries', 'a slow query has a process for itself; more processes than cores are no faster', 'queries wait in turn'),
  readerMemory: createBudget(512 * MiB, 'bytes', 'JavaScript memory of one query process, and as much again for SQLite', 'a result of a million rows is sent in chunks of some hundred', '500'),
  archiveBytes: createBudget(8 * GiB, 'bytes', 'an imported PuppetDB archive, compressed', 'ten thousand nodes with two weeks of reports; the archive is streamed', '413'),
  rowTime: createBudget(20_000, 'ms', 'the time for a call about orders or rollouts', 'each reads or changes a few rows; the store may be writing large catalogs', 'the call fails, and is tried again'),
}
