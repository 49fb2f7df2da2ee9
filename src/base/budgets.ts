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
const connection = {} as const satisfies Group

/** What one request may bring, and what all requests may hold together. */
const request = {
  body: {
    bound: 48 * MiB,
    unit: 'bytes',
    of: 'the body of a request, where its endpoint has no budget of its own',
    reason: 'facts of 16 MiB, encoded twice, are within',
    beyond: '413',
  },
  bodiesHeld: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'bodies in memory, those of all requests together',
    reason: 'five of the largest at once; a quarter is kept for bodies of up to 256 KiB',
    beyond: '503, before the rest is read',
  },
  unreadTime: {
    bound: 30_000,
    unit: 'ms',
    of: 'what a client goes on sending of a body that was refused',
    reason: 'agents send all of it before they look at the answer; nothing of it is kept',
    beyond: 'the connection is cut',
  },
  parameters: {
    bound: 1000,
    unit: 'items',
    of: 'the parameters of a query or of a form',
    reason: 'agents send about ten',
    beyond: '413; for a query 400',
  },
  factText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'the JSON text of the facts of a node',
    reason: "Puppet warns of more (payload_soft_limit); a node's are 60,000",
    beyond: '413',
  },
  factItems: {
    bound: 250_000,
    unit: 'items',
    of: 'the values in the facts of a node, nested ones too',
    reason: 'a host of two thousand interfaces has 40,000',
    beyond: '413',
  },
  factsInMemory: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'the facts that are kept in memory, where facts_terminus is memory',
    reason: 'four thousand nodes of 60 KiB',
    beyond: 'those that were not asked for longest are forgotten',
  },
  reportItems: {
    bound: 2_000_000,
    unit: 'items',
    of: 'the values in a report, nested ones too',
    reason: 'one of 10,000 resources has 300,000',
    beyond: '413',
  },
  jsonDepth: {
    bound: 100,
    unit: 'levels',
    of: 'the nesting of a JSON body',
    reason: "Ruby's JSON reads no deeper",
    beyond: '400',
  },
  jsonNumber: {
    bound: 1000,
    unit: 'characters',
    of: 'a number in a JSON body',
    reason: 'whole numbers are read to the last digit, which takes more than linear time',
    beyond: '413',
  },
  readingTime: {
    bound: 10_000,
    unit: 'ms',
    of: 'reading one body of more than 256 KiB, on a thread of its own',
    reason: 'the largest take one second',
    beyond: '413, and the thread is replaced',
  },
  readingQueue: {
    bound: 64,
    unit: 'at once',
    of: 'bodies of more than 256 KiB that are or wait to be read, nodes in turn',
    reason: 'beyond it agents would wait longer than their own patience',
    beyond: '503',
  },
  bucketFile: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'a file that is sent to the file bucket',
    reason: 'a backup of a configuration file is far below; it goes to disk as it comes',
    beyond: '413',
    setting: 'bucket_max_file_size',
  },
  bucketUploads: {
    bound: 32,
    unit: 'at once',
    of: 'uploads to the file bucket',
    reason: 'each is a file on disk that is open and not yet paid for',
    beyond: '503',
  },
  bucketFreeSpace: {
    bound: 1024 * MiB,
    unit: 'bytes',
    of: 'what uploads to the file bucket leave free of its disk',
    reason: 'facts, reports and certificates are often on the same one',
    beyond: '507',
    setting: 'bucket_min_free_space',
  },
  bucketPaths: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'the list of paths under which one content of the file bucket was found',
    reason: 'a thousand paths; it is read for each upload of the same content',
    beyond: 'the oldest are forgotten',
  },
  reportLines: {
    bound: 5000,
    unit: 'items',
    of: 'the lines of one report that the processor log repeats',
    reason: 'a run that changes every resource of a large catalog says as much',
    beyond: 'the log says how many were left out; the stored report has all',
  },
} as const satisfies Group

/** What one node, or one address without a certificate, may have of the server at a time. */
const node = {
  requests: {
    bound: 60_000,
    unit: 'per minute',
    of: 'the requests of one node',
    reason: 'a first pluginsync asks for thousands of files, hundreds a second',
    beyond: '429',
    setting: 'max_requests_per_minute',
  },
  requestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests of one node',
    reason: 'an agent has one under way, some clients eight',
    beyond: '429',
    setting: 'max_requests_at_once',
  },
  catalogs: {
    bound: 1200,
    unit: 'per minute',
    of: 'the catalogs that one node asks for',
    reason: 'an agent asks for one in half an hour; tools that compare catalogs ask for twenty in a second',
    beyond: '429',
  },
  documents: {
    bound: 600,
    unit: 'per minute',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one of each in half an hour',
    beyond: '429',
  },
  documentsAtOnce: {
    bound: 16,
    unit: 'at once',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one after the other; each may hold facts of 16 MiB',
    beyond: '429',
  },
  uploads: {
    bound: 6000,
    unit: 'per minute',
    of: 'the files that one node sends to the file bucket',
    reason: 'a run that replaces thousands of files sends each of them, one after the other',
    beyond: '429',
  },
  uploadsAtOnce: {
    bound: 8,
    unit: 'at once',
    of: 'the files that one node sends to the file bucket',
    reason: 'an agent sends one after the other',
    beyond: '429',
  },
  strangerRequests: {
    bound: 12_000,
    unit: 'per minute',
    of: 'the requests without a certificate from one address',
    reason: 'a thousand new nodes behind one address, each asking for its certificate, and monitors',
    beyond: '429',
  },
  strangerRequestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests without a certificate from one address',
    reason: 'the same',
    beyond: '429',
  },
  bodiesHeld: {
    bound: 96 * MiB,
    unit: 'bytes',
    of: 'bodies in memory, those of the requests of one node together',
    reason: 'two of the largest',
    beyond: '429, before the rest is read',
  },
} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const
