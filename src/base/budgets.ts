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
const GiB = 1024 * MiB

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
  searchedFiles: {
    bound: 100_000,
    unit: 'items',
    of: 'the names that one search of files goes through, whatever its `max_files`',
    reason: 'the plugins of a large site are some ten thousand; links that double lead to billions',
    beyond: '413 over HTTP, or the catalog fails',
  },
  searchedFolders: {
    bound: 32 * MiB,
    unit: 'bytes',
    of: 'the folders that are read to find one file of an old commit',
    reason: 'a folder of 100,000 names has 6 MiB',
    beyond: '500, in words',
  },
  searchedSteps: {
    bound: 512,
    unit: 'items',
    of: 'the folders on the way to one file of an old commit, those of links among them',
    reason: 'paths have some ten, and Linux follows forty links',
    beyond: '404',
  },
} as const satisfies Group

/** What one node may have of the server at a time. */
const node = {} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {
  files: {
    bound: 250_000,
    unit: 'items',
    of: 'files and folders of one commit',
    reason: 'four times a very large control repository; each takes some 500 bytes in each thread',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_environment_files',
  },
  bytes: {
    bound: 1 * GiB,
    unit: 'bytes',
    of: 'what is loaded of one commit: all but files/ and what is larger than 1 MiB',
    reason: 'a control repository of 60,000 files and 400 MB fits twice',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_environment_bytes',
  },
  paths: {
    bound: 64 * MiB,
    unit: 'bytes',
    of: 'all paths of one commit together',
    reason: '250 bytes for each of the most files; usual are 60',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  path: {
    bound: 4096,
    unit: 'bytes',
    of: 'one path of a commit, and where one of its links leads',
    reason: 'PATH_MAX of Linux: no longer one can be checked out',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  depth: {
    bound: 128,
    unit: 'levels',
    of: 'folders within folders of one commit',
    reason: 'the deepest modules have some twenty',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
  codeFile: {
    bound: 4 * MiB,
    unit: 'bytes',
    of: 'one file that is parsed: a manifest, a template, data, environment.conf, hiera.yaml, metadata.json',
    reason: 'the largest known are 2 MiB, and a syntax tree takes fifty times as much',
    beyond: 'the push is refused, or the environment stays at its old commit',
    setting: 'max_code_file_bytes',
  },
  commit: {
    bound: 1 * MiB,
    unit: 'bytes',
    of: 'the commit itself: its message and its parents',
    reason: 'the message of a merge of a thousand commits has 100 KiB',
    beyond: 'the push is refused, or the environment stays at its old commit',
  },
} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {
  served: {
    bound: 1000,
    unit: 'items',
    of: 'environments that are served',
    reason: 'a site of fifty people has some hundred branches',
    beyond: 'a push of one more branch is refused; what is served stays, the others are refused in words',
    setting: 'max_environments',
  },
  files: {
    bound: 3_000_000,
    unit: 'items',
    of: 'files of all environments together',
    reason: 'each takes some 450 bytes of the main thread, which must fit into half of its heap, whatever is set here',
    beyond: 'the environment that comes last stays at its old commit',
    setting: 'max_served_files',
  },
  bytes: {
    bound: 4 * GiB,
    unit: 'bytes',
    of: 'what is loaded of all environments together; what they share counts once',
    reason: 'four times the largest environment',
    beyond: 'the environment that comes last stays at its old commit',
    setting: 'max_served_bytes',
  },
  loadTime: {
    bound: 120_000,
    unit: 'ms',
    of: 'loading one commit',
    reason: '60,000 files take 5 s',
    beyond: 'the environment stays at its old commit; it is tried again in a minute',
    setting: 'environment_load_timeout',
  },
  loads: {
    bound: 4,
    unit: 'at once',
    of: 'commits that are loaded',
    reason: 'one that takes long holds up nobody, and the event loop has its turns',
    beyond: 'they wait in turn',
  },
  refs: {
    bound: 100_000,
    unit: 'items',
    of: 'branches that are looked at',
    reason: 'a hundred times as many as are served',
    beyond: 'those that are served are still followed, the others are said not to be looked at',
  },
  pins: {
    bound: 10_000,
    unit: 'items',
    of: 'commits that are kept from being pruned',
    reason: 'one deploy in four minutes for a month',
    beyond: 'the ones that were served longest ago are let go',
    setting: 'max_pinned_commits',
  },
  largeFiles: {
    bound: 32,
    unit: 'at once',
    of: 'files larger than 1 MiB that are streamed out of the repository, each by a process',
    reason: 'a process takes some 10 MB',
    beyond: '512 wait for up to 30 s, then 503 with Retry-After',
  },
  codeBlob: {
    bound: 256 * MiB,
    unit: 'bytes',
    of: 'one file that a function or a template reads',
    reason: 'it is held by a thread as a whole',
    beyond: 'the catalog fails',
  },
} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const
