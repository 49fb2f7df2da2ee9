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
const node = {
  waitingCatalogs: {
    bound: 4,
    unit: 'at once',
    of: 'catalogs of one node that wait to be compiled, beside the one that is being compiled',
    reason: 'an agent asks for one at a time; an operator looks at it beside that, and requests are repeated',
    beyond: '429 with Retry-After',
  },
} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {
  quickCompile: {
    bound: 3_000,
    unit: 'ms',
    of: 'the time after which a catalog takes long, and leaves its thread to others that wait',
    reason: 'most catalogs take a tenth of it; what loops is known by then, and an agent can wait for it',
    beyond: 'the catalog is compiled beside, on a thread for slow ones, or begins again when one is free',
    setting: 'compile_slow_after',
  },
  slowThreads: {
    bound: 2,
    unit: 'at once',
    of: 'threads for catalogs that take long, beside compile_workers',
    reason:
      'each may take 100 MiB with Ruby and more with the code; one environment has all but one of them, so that others have theirs',
    beyond: 'such catalogs wait, in turns of environments and nodes',
    setting: 'compile_slow_workers',
  },
  valueItems: {
    bound: 1_000_000,
    unit: 'items',
    of: 'an Array or a Hash that a manifest makes',
    reason:
      'more than any catalog names; its memory is got in pieces of 8 MB, so that to run out of it ends one compilation only',
    beyond: 'the compilation fails, with the place',
  },
  valueText: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'a String that a manifest makes',
    reason: 'larger than any content of a file that a catalog holds; the same as for arrays',
    beyond: 'the compilation fails, with the place',
  },
  resources: {
    bound: 250_000,
    unit: 'items',
    of: 'the resources of a catalog',
    reason: 'ten times the largest catalogs that are known',
    beyond: 'the compilation fails, with the place',
  },
  messages: {
    bound: 100_000,
    unit: 'items',
    of: 'what manifests log while one catalog is compiled',
    reason: 'each is kept until the catalog is done, and then written to the log',
    beyond: 'the compilation fails',
  },
  catalogBody: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'a catalog as it is sent, and what it exports',
    reason: 'an agent reads it whole; 250,000 resources of 1 KB',
    beyond: 'the compilation fails',
  },
  classesTime: {
    bound: 10_000,
    unit: 'ms',
    of: 'reading the classes of one manifest, for environment_classes',
    reason: 'the largest manifests that are known take a tenth of a second',
    beyond: 'the manifest is told as one that cannot be read',
  },
  classesText: {
    bound: 8 * MiB,
    unit: 'bytes',
    of: 'what environment_classes says of one manifest',
    reason: 'a manifest has one class, or a few',
    beyond: 'the manifest is told as one that cannot be read',
  },
  moduleMetadata: {
    bound: MiB,
    unit: 'bytes',
    of: 'metadata.json of a module',
    reason: 'the largest on the Forge are a twentieth of it',
    beyond: 'it is not read',
  },
  waitingFacts: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'requests for catalogs that wait with their facts, of all nodes',
    reason: '4,000 nodes at once; parsed facts take some times of it in memory',
    beyond: '503 with Retry-After',
  },
} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const
