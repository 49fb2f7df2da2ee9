import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of orders to nodes, and of the connections on which nodes wait for orders. */
// biome-ignore format: one line per budget
export const orderBudgets = {
  connections: createBudget(20_000, 'at once', 'nodes that wait for orders on one server; at most four fifths of the open connections', 'a connection needs about 60 KiB; one server has at most a few ten thousand nodes', '503; the agent tries again later'),
  message: createBudget(16 * KiB, 'bytes', 'a message on a connection for orders, in both directions', 'a signed order has 3 KiB', 'the connection is closed'),
  messages: createBudget(120, 'per minute', 'messages of a node on its connection', 'a run has two messages', 'the connection is closed'),
  unsent: createBudget(64 * KiB, 'bytes', 'messages that a node does not read', 'a node has at most a few orders', 'the connection is closed'),
  heartbeat: createBudget(45_000, 'ms', 'the interval between two heartbeats; a connection without an answer in two intervals is closed', 'proxies and balancers close connections that are silent for 60 s', 'the agent opens a new connection'),
  nodes: createBudget(20_000, 'items', 'nodes of one batch of orders', 'as for connections', '400'),
  open: createBudget(50_000, 'items', 'orders that are not finished, on all servers', 'a few batches of the whole fleet', '429'),
  request: createBudget(2 * MiB, 'bytes', 'a request for a batch of orders', '20,000 certnames of 100 bytes', '413'),
  text: createBudget(500, 'characters', 'each text in an order or in a message of a node: a person, an environment, a reason', 'as for the audit log', 'the order is rejected; a reason is cut'),
  tags: createBudget(50, 'items', 'tags of an order', 'a command line has a few', 'the order is rejected'),
  lifetime: createBudget(300_000, 'ms', 'the time from the signature of an order to its start', 'clocks of nodes differ by up to a minute or two', 'the node refuses the order'),
  reconnect: createBudget(15_000, 'ms', 'the time after the start of a server in which nodes may reconnect before an order ends as unconnected', 'agents reconnect within ten seconds of a lost connection', 'the order ends as unconnected'),
  elsewhere: createBudget(3000, 'ms', 'the time in which another server that shares the database must claim an order for a node', 'servers look for orders once a second', 'the order ends as unconnected'),
  waiting: createBudget(86_400_000, 'ms', 'the time that an order waits for its turn', 'a batch with a few runs at once takes hours', 'the order expires'),
  run: createBudget(14_400_000, 'ms', 'the time from the start of a run to its result', 'runtimeout is 1 h by default', 'the order ends as lost'),
  executed: createBudget(1000, 'items', 'orders that a node remembers: those that have not expired, and results that no server has acknowledged', 'a node has a few orders an hour', 'the node refuses further orders, or drops the oldest result'),
  kept: createBudget(30, 'days', 'the age of a batch in the store', 'the audit log keeps the order longer', 'the batch is deleted'),
}
