import { createBudget, GiB, MiB } from './budget.ts'

/** Budgets of each push and each deployed commit; the hook and the loader both use them. */
// biome-ignore format: one line per budget
export const pushBudgets = {
  files: createBudget(250_000, 'items', 'files and folders of one commit', 'four times a very large control repository; each takes about 500 bytes in each thread', 'the push is rejected, or the environment stays at its old commit', 'max_environment_files'),
  bytes: createBudget(1 * GiB, 'bytes', 'loaded bytes of one commit: all files except those in files/ and those of more than 1 MiB', 'twice a control repository of 60,000 files and 400 MB', 'the push is rejected, or the environment stays at its old commit', 'max_environment_bytes'),
  paths: createBudget(64 * MiB, 'bytes', 'total length of all paths of one commit', '250 bytes for each of the most files; 60 are common', 'the push is rejected, or the environment stays at its old commit'),
  path: createBudget(4096, 'bytes', 'one path of a commit, and the target of a link', 'PATH_MAX of Linux: longer paths cannot be checked out', 'the push is rejected, or the environment stays at its old commit'),
  depth: createBudget(128, 'levels', 'nested folders of one commit', 'the deepest modules have about twenty', 'the push is rejected, or the environment stays at its old commit'),
  codeFile: createBudget(4 * MiB, 'bytes', 'one parsed file: a manifest, a template, data, environment.conf, hiera.yaml or metadata.json', 'the largest known are 2 MiB, and a syntax tree takes fifty times as much', 'the push is rejected, or the environment stays at its old commit', 'max_code_file_bytes'),
  qualityTime: createBudget(60_000, 'ms', 'the time in which the linter and the formatter check the manifests that a push changes', 'two thousand manifests take ten seconds', 'the push is accepted, and the output contains the number of manifests that were not checked'),
  qualityProblems: createBudget(1000, 'items', 'problems of the linter and the formatter that are reported for one branch of a push', 'the output contains the first twenty, JSON contains all', 'further problems are only counted'),
  commit: createBudget(1 * MiB, 'bytes', 'a commit object: its message and its parents', 'the message of a merge of a thousand commits has 100 KiB', 'the push is rejected, or the environment stays at its old commit'),
  passedCommits: createBudget(2000, 'items', 'recorded commits that passed the gate, in the repository and in the server', 'months of pushes to many branches; each is a file of a few lines', 'the oldest records are removed: if a branch returns to such a commit without the hooks, the gate runs again'),
  notedDeployments: createBudget(500, 'items', 'records of hooks for the server about deployed commits', 'the server reads a record within a second; if no server runs, days of pushes', 'the oldest records are removed, and their content is computed again'),
  deploysAtOnce: createBudget(4, 'items', 'environments whose modules are being fetched', 'a webhook may move a hundred branches; each fetches several modules at once', 'the other environments wait'),
  firstDeployments: createBudget(1_800_000, 'ms', 'the time for which a server without any environment reports that it is starting', 'thirty environments of sixty modules take a minute; unreachable hosts must not keep the server from running', 'it reports that it is running, and serves the environments it has'),
  hoconSubstituted: createBudget(100_000, 'items', 'values substituted in one HOCON text', 'a few lines that refer to each other may expand beyond any memory; common texts have hundreds', 'the text is rejected: a rule file is not loaded, a lookup fails'),
}
