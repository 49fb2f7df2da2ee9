import { budget, KiB } from './budget.ts'

/** Budgets of one connection, with a certificate or without. */
// biome-ignore format: one line per budget
export const connection = {
  total: budget(10_000, 'at once', 'connections, in all; fewer where the machine gives the process fewer descriptors', 'a fleet of a hundred thousand nodes that ask every 30 minutes has some hundred open', 'the oldest of a stranger is closed, else an idle one of a node; where all nodes are at work the new one', 'max_connections'),
  unaccepted: budget(4096, 'items', 'connections that the system has made and the server has not yet taken, as far as the system allows', 'beyond it clients try again after 1, 3 and 7 s; two thousand come in a second of a flood', 'the system drops the first packet, and the client sends it again'),
  listeners: budget(8, 'items', 'further handles that take in connections', 'from each, one connection is taken in a round of the event loop', 'those who connect wait in the order in which they came'),
  descriptors: budget(256, 'items', 'descriptors that connections leave to files and programs; half of all where there are fewer than 512', 'a server under load has open some thirty files, git and its pipes, and what its threads read', 'as above'),
  perAddress: budget(1000, 'at once', 'connections from one address, or one IPv6 network of 64 bits; half of all at most', 'behind one address there may be a site of thousands of nodes, or a proxy', 'the same among those of that address', 'max_connections_per_address'),
  plain: budget(64, 'at once', "connections to PuppetDB's port without TLS, all from this machine", 'a dashboard and an exporter have some each', 'closed'),
  store: budget(1000, 'at once', "connections to PuppetDB's port with TLS; a quarter of what the process may have at most", 'servers and dashboards ask there, and no nodes', 'as with those of the server itself'),
  handshake: budget(10_000, 'ms', 'a TLS handshake, from the first packet on', 'four round trips over a satellite take three seconds', 'closed'),
  headers: budget(10_000, 'ms', 'the headers of a request, from the handshake or from their first byte on', 'they come in one packet or two', '408'),
  request: budget(300_000, 'ms', 'a whole request with its body', 'facts of 16 MiB over a line of 1 Mbit/s take two and a half minutes', '408'),
  transfer: budget(8 * KiB, 'bytes', 'what is sent of a body, or taken of an answer, within half a minute at least, while we wait for the client', 'a modem of 1990 does twice that', 'closed'),
  transferTime: budget(30_000, 'ms', 'the time in which the bytes above have to go over', 'a line may stall for some seconds', 'as above'),
  idle: budget(15_000, 'ms', 'the time between two requests of a connection', "an agent's own connections are idle for 4 s at most", 'closed'),
  requests: budget(10_000, 'items', 'requests on one connection', 'a first run fetches some thousand plug-ins on one', 'the last answer says so, and the connection is closed; what comes still is answered 503'),
  pipelined: budget(16, 'at once', 'requests on one connection whose answers are not sent yet', 'agents wait for each answer', 'closed'),
  headerBytes: budget(16 * KiB, 'bytes', 'the line and the headers of a request', 'a certificate that a proxy sends takes up to 8 KiB, addresses some hundred bytes', '431'),
  headerCount: budget(100, 'items', 'headers of a request', 'an agent sends ten, proxies add as many', '431'),
  idleOfOne: budget(8, 'at once', 'idle connections of one node that outlive those of strangers where there are too many', 'an agent has one, some clients eight; who holds thousands would have honest handshakes push out each other', 'the others are closed as those of strangers'),
}
