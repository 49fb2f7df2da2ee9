import { createBudget, KiB } from './budget.ts'

/** Budgets of a connection, with or without a client certificate. */
// biome-ignore format: one line per budget
export const connectionBudgets = {
  total: createBudget(10_000, 'at once', 'open connections; fewer if the process may have fewer descriptors', 'a fleet of 100,000 nodes with a run every 30 minutes has a few hundred open', 'the oldest connection without a certificate is closed, else an idle connection of a node, else the new connection', 'max_connections'),
  unaccepted: createBudget(4096, 'items', 'connections the kernel has established and the server has not accepted, within the limit of the kernel', 'beyond it clients retry after 1, 3 and 7 s; a flood brings two thousand per second', 'the kernel drops the first packet, and the client sends it again'),
  listeners: createBudget(8, 'items', 'additional listeners on the socket of the server', 'Node accepts one connection per listener in each iteration of the event loop', 'clients wait in the order of their connections'),
  descriptors: createBudget(256, 'items', 'file descriptors reserved for files and programs; half of all if the limit is below 512', 'a server under load has about thirty open files, plus git with its pipes and the files of its threads', 'as for open connections'),
  perAddress: createBudget(1000, 'at once', 'connections from one address or one IPv6 /64 network; at most half of all connections', 'a site of thousands of nodes, or a proxy, may be behind one address', 'as for open connections, among those of this address', 'max_connections_per_address'),
  plain: createBudget(64, 'at once', "connections to PuppetDB's port without TLS, which accepts only this machine", 'a dashboard and an exporter have a few each', 'the connection is closed'),
  store: createBudget(1000, 'at once', "connections to PuppetDB's port with TLS; at most a quarter of the descriptors of the process", 'only servers and dashboards use this port', 'as for open connections'),
  control: createBudget(64, 'at once', 'connections to the control socket', 'hooks of running pushes, and a few administrators', 'further connections are closed'),
  controlBody: createBudget(256 * KiB, 'bytes', 'a request on the control socket', 'a push of 1,500 branches', '413; the hook tests the push without the server'),
  controlIdle: createBudget(60_000, 'ms', 'the time for a request on the control socket, and the time without data', 'a heartbeat is sent every 2 s', 'the connection is closed'),
  handshake: createBudget(10_000, 'ms', 'a TLS handshake, from the first packet', 'four round trips by satellite take three seconds', 'the connection is closed'),
  headers: createBudget(10_000, 'ms', 'the time for the headers of a request, from the handshake or their first byte', 'headers fit into one or two packets', '408'),
  request: createBudget(300_000, 'ms', 'the time for a whole request with its body', 'facts of 16 MiB at 1 Mbit/s take two and a half minutes', '408'),
  transfer: createBudget(8 * KiB, 'bytes', 'minimum progress of a request body or an answer in half a minute, while the server waits for the client', 'a modem of 1990 is twice as fast', 'the connection is closed'),
  transferTime: createBudget(30_000, 'ms', 'the period for this minimum progress', 'a line may stall for some seconds', 'the connection is closed'),
  idle: createBudget(15_000, 'ms', 'idle time between two requests on a connection', 'an agent closes its idle connections after 4 s', 'the connection is closed'),
  requests: createBudget(10_000, 'items', 'requests on one connection', 'a first run fetches some thousand plug-ins on one connection', 'the last answer announces the close of the connection; further requests get 503'),
  pipelined: createBudget(16, 'at once', 'requests on one connection that wait for their answers', 'agents wait for each answer', 'the connection is closed'),
  headerBytes: createBudget(16 * KiB, 'bytes', 'the request line and the headers of a request', 'a client certificate from a proxy has up to 8 KiB, addresses have a few hundred bytes', '431'),
  headerCount: createBudget(100, 'items', 'headers of a request', 'an agent sends ten, and proxies add as many', '431'),
  idleOfOne: createBudget(8, 'at once', 'idle connections of one node that are closed only after those of clients without a certificate', 'an agent has one, some clients have eight; a node with thousands would evict the handshakes of other nodes', 'the other connections are closed like those of clients without a certificate'),
}
