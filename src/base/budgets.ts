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
const push = {} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {
  moduleFolders: {
    bound: 1000,
    unit: 'items',
    of: 'the folders that the modulepath of an environment names or leads to',
    reason: 'each is asked for each module that is looked for',
    beyond: 'the environment is not loaded, and says why',
  },
} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

/** What a pattern that comes from outside may cost: a glob, a regular expression. */
const pattern = {
  globLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a glob: of a modulepath, a hiera.yaml, `ignore` of a file search',
    reason: 'as long as a path of Linux may be',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  globAlternatives: {
    bound: 256,
    unit: 'items',
    of: 'the alternatives that the braces of a glob stand for',
    reason: 'braces multiply: twenty pairs would stand for a million',
    beyond: 'the environment or the catalog fails in words',
  },
  globSteps: {
    bound: 20_000_000,
    unit: 'items',
    of: 'the steps of finding what the globs of a modulepath, of a level of Hiera or of a file search mean',
    reason: 'a hundred thousand names with a few wildcards take a tenth of it; all of it takes a third of a second',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  ignored: {
    bound: 256,
    unit: 'items',
    of: 'the globs in `ignore` of a file search',
    reason: 'each is tried with each name; `pluginsignore` has four',
    beyond: '400',
  },
  expressionLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a regular expression of auth.conf, or of a `pattern` of a service',
    reason: 'a thousand certnames would be written as rules of their own',
    beyond: 'the rule, or the resource, fails in words',
  },
  expressionSize: {
    bound: 2000,
    unit: 'items',
    of: 'the steps that such an expression stands for, repetitions written out',
    reason: 'each may be taken for each character: with a path of 16 KiB it takes half a second',
    beyond: 'the rule, or the resource, fails in words',
  },
} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority, pattern } as const
