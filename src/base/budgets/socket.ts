import { createBudget, MiB } from './budget.ts'

/** Budgets of sockets that Ruby code opens on a node. */
// biome-ignore format: one line per budget
export const socketBudgets = {
  open: createBudget(256, 'at once', 'sockets of the Ruby code of one run', 'a provider has a few connections; code that never closes one must not exhaust the process', 'opening a socket fails with EMFILE'),
  piece: createBudget(256 * 1024, 'bytes', 'data that Ruby receives or sends in one step', 'larger pieces are not faster, and are copied several times', 'Ruby reads and writes in several steps'),
  body: createBudget(64 * MiB, 'bytes', "a response that Puppet's HTTP client keeps in memory", 'files are read with a block, in pieces', 'the request fails with HTTPError'),
  addressTime: createBudget(3000, 'ms', 'a connection attempt to one address of a host that has several', 'a reachable address answers within a second or two', 'the next address is tried, too'),
  linger: createBudget(10_000, 'ms', 'sending of written data after a socket is closed', 'the peer may be slow', 'the connection is reset'),
  dnsQuery: createBudget(10_000, 'ms', 'a DNS query with all its retries', 'a resolver answers within a second, or its server is down', 'there is no answer, as if Ruby had timed out'),
}
