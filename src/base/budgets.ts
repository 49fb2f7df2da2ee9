/**
 * The bound of something that comes from outside. A budget says how much is taken, never how much is worth having: what
 * is beyond it is refused in words, and changes nothing.
 */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'items' | 'levels' | 'characters' | 'ms' | 'at once' | 'per minute'
  /** What is bounded. */
  readonly of: string
  /** Why it is so much, and no more. */
  readonly reason: string
  /** What is answered or done beyond it. */
  readonly beyond: string
  /** The setting that moves it, whose default it then is; without one it is fixed. */
  readonly setting?: string
}

const KiB = 1024
const MiB = 1024 * KiB

/** What one connection, known or not, may take of the server. */
const connection = {
  total: {
    bound: 10_000,
    unit: 'at once',
    of: 'connections, in all; fewer where the machine gives the process fewer descriptors',
    reason: 'a fleet of a hundred thousand nodes that ask every 30 minutes has some hundred open',
    beyond: 'the oldest of a stranger is closed, else an idle one of a node; where all nodes are at work the new one',
    setting: 'max_connections',
  },
  descriptors: {
    bound: 256,
    unit: 'items',
    of: 'descriptors that connections leave to files and programs; half of all where there are fewer than 512',
    reason: 'a server under load has open some thirty files, git and its pipes, and what its threads read',
    beyond: 'as above',
  },
  perAddress: {
    bound: 1000,
    unit: 'at once',
    of: 'connections from one address, or one IPv6 network of 64 bits; half of all at most',
    reason: 'behind one address there may be a site of thousands of nodes, or a proxy',
    beyond: 'the same among those of that address',
    setting: 'max_connections_per_address',
  },
  handshake: {
    bound: 10_000,
    unit: 'ms',
    of: 'a TLS handshake, from the first packet on',
    reason: 'four round trips over a satellite take three seconds',
    beyond: 'closed',
  },
  headers: {
    bound: 10_000,
    unit: 'ms',
    of: 'the headers of a request, from the handshake or from their first byte on',
    reason: 'they come in one packet or two',
    beyond: '408',
  },
  request: {
    bound: 300_000,
    unit: 'ms',
    of: 'a whole request with its body',
    reason: 'facts of 16 MiB over a line of 1 Mbit/s take two and a half minutes',
    beyond: '408',
  },
  transfer: {
    bound: 8 * KiB,
    unit: 'bytes',
    of: 'what is sent of a body, or taken of an answer, within half a minute at least, while we wait for the client',
    reason: 'a modem of 1990 does twice that',
    beyond: 'closed',
  },
  transferTime: {
    bound: 30_000,
    unit: 'ms',
    of: 'the time in which the bytes above have to go over',
    reason: 'a line may stall for some seconds',
    beyond: 'as above',
  },
  idle: {
    bound: 15_000,
    unit: 'ms',
    of: 'the time between two requests of a connection',
    reason: "an agent's own connections are idle for 4 s at most",
    beyond: 'closed',
  },
  requests: {
    bound: 10_000,
    unit: 'items',
    of: 'requests on one connection',
    reason: 'a first run fetches some thousand plug-ins on one',
    beyond: 'the last answer says so, and the connection is closed; what comes still is answered 503',
  },
  pipelined: {
    bound: 16,
    unit: 'at once',
    of: 'requests on one connection whose answers are not sent yet',
    reason: 'agents wait for each answer',
    beyond: 'closed',
  },
  headerBytes: {
    bound: 16 * KiB,
    unit: 'bytes',
    of: 'the line and the headers of a request',
    reason: 'a certificate that a proxy sends takes up to 8 KiB, addresses some hundred bytes',
    beyond: '431',
  },
  headerCount: {
    bound: 100,
    unit: 'items',
    of: 'headers of a request',
    reason: 'an agent sends ten, proxies add as many',
    beyond: '431',
  },
} as const satisfies Group

/** What one request may bring. */
const request = {
  body: {
    bound: 48 * MiB,
    unit: 'bytes',
    of: 'the body of a request, where its endpoint has no budget of its own',
    reason: 'facts and reports of 16 MiB, encoded twice, are within',
    beyond: '413',
  },
} as const satisfies Group

/** What one node may have of the server at a time. */
const node = {} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const
