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
const node = {} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {
  hoconSubstituted: {
    bound: 100_000,
    unit: 'items',
    of: 'the values that the substitutions of one HOCON text stand for',
    reason: 'a few lines that name each other can say more than any memory holds; real ones come to hundreds',
    beyond: 'the text is refused: a rule file is not loaded, a lookup fails',
  },
} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const
