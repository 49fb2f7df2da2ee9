import { type Budgets, GiB, MiB } from './budget.ts'

/** Budgets of one push and of a served commit: the hook and the loader ask the same row. */
export const push = {
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
  passedCommits: {
    bound: 2000,
    unit: 'items',
    of: 'the commits of which it is kept that they have passed the gate, in the repository and by the server',
    reason: 'months of pushes to many branches; a file of some lines each',
    beyond: 'the oldest go: should a branch come to one again past the hooks, it is tried once more',
  },
  hoconSubstituted: {
    bound: 100_000,
    unit: 'items',
    of: 'the values that the substitutions of one HOCON text stand for',
    reason: 'a few lines that name each other can say more than any memory holds; real ones come to hundreds',
    beyond: 'the text is refused: a rule file is not loaded, a lookup fails',
  },
} as const satisfies Budgets
