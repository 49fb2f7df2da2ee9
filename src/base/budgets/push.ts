import { budget, GiB, MiB } from './budget.ts'

/** Budgets of one push and of a served commit: the hook and the loader ask the same row. */
// biome-ignore format: one line per budget
export const push = {
  files: budget(250_000, 'items', 'files and folders of one commit', 'four times a very large control repository; each takes some 500 bytes in each thread', 'the push is refused, or the environment stays at its old commit', 'max_environment_files'),
  bytes: budget(1 * GiB, 'bytes', 'what is loaded of one commit: all but files/ and what is larger than 1 MiB', 'a control repository of 60,000 files and 400 MB fits twice', 'the push is refused, or the environment stays at its old commit', 'max_environment_bytes'),
  paths: budget(64 * MiB, 'bytes', 'all paths of one commit together', '250 bytes for each of the most files; usual are 60', 'the push is refused, or the environment stays at its old commit'),
  path: budget(4096, 'bytes', 'one path of a commit, and where one of its links leads', 'PATH_MAX of Linux: no longer one can be checked out', 'the push is refused, or the environment stays at its old commit'),
  depth: budget(128, 'levels', 'folders within folders of one commit', 'the deepest modules have some twenty', 'the push is refused, or the environment stays at its old commit'),
  codeFile: budget(4 * MiB, 'bytes', 'one file that is parsed: a manifest, a template, data, environment.conf, hiera.yaml, metadata.json', 'the largest known are 2 MiB, and a syntax tree takes fifty times as much', 'the push is refused, or the environment stays at its old commit', 'max_code_file_bytes'),
  commit: budget(1 * MiB, 'bytes', 'the commit itself: its message and its parents', 'the message of a merge of a thousand commits has 100 KiB', 'the push is refused, or the environment stays at its old commit'),
  passedCommits: budget(2000, 'items', 'the commits of which it is kept that they have passed the gate, in the repository and by the server', 'months of pushes to many branches; a file of some lines each', 'the oldest go: should a branch come to one again past the hooks, it is tried once more'),
  notedDeployments: budget(500, 'items', 'the commits of which a hook notes as what they were deployed, for the server', 'the server takes a note within a second; where none runs, days of pushes', 'the oldest go: what they say is made again'),
  deploysAtOnce: budget(4, 'items', 'the environments whose modules are fetched at the same time', 'a webhook may move a hundred branches; each fetches several modules at once', 'the others wait'),
  firstDeployments: budget(1_800_000, 'ms', 'the time for which a server that has served nothing yet says that it starts', 'thirty environments of sixty modules take a minute; hosts that hang would keep it from ever being asked', 'it says that it runs, and answers for the environments that it has'),
  hoconSubstituted: budget(100_000, 'items', 'the values that the substitutions of one HOCON text stand for', 'a few lines that name each other can say more than any memory holds; real ones come to hundreds', 'the text is refused: a rule file is not loaded, a lookup fails'),
}
