import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of repositories, and of clones, fetches and pushes over HTTPS. */
// biome-ignore format: one line per budget
export const gitBudgets = {
  spooledBytes: createBudget(1024 * MiB, 'bytes', 'files of more than 1 MiB cached in vardir, in addition to those being read', 'a few packages or images, within the disk of a server', 'the least recently read file is removed, and read from the repository again'),
  smallBlobs: createBudget(16 * MiB, 'bytes', 'files of up to 256 KiB cached in memory for agents', 'a catalog has some hundred files of 4 KiB, and most nodes share them', 'the least recently requested file is removed, and read from the repository again'),
  spooledFiles: createBudget(128, 'items', 'number of files of more than 1 MiB cached in vardir', 'each takes a file descriptor', 'the least recently read file is removed, and read from the repository again'),
  spoolWrites: createBudget(2, 'at once', 'files of more than 1 MiB being written to vardir by git', 'each is a process that uses the full speed of the disk', 'further files wait in turn'),
  pack: createBudget(512 * MiB, 'bytes', 'the unpacked body of a push over HTTPS; the server streams it to git', 'a control repository with ten years of history has about 100 MB; large files do not belong in it', 'git rejects the push, and keeps nothing of it', 'max_push_bytes'),
  memory: createBudget(768 * MiB, 'bytes', 'memory of one git process of a push or a fetch over HTTPS, and of each of its child processes', 'two threads with an object of 256 MiB or its base, and a cache of 96 MiB; packs on disk do not count', 'git rejects the push or the fetch, and keeps nothing of it'),
  objectMemory: createBudget(256 * MiB, 'bytes', "one object of a push or a fetch in git's memory: a tree, or a file sent as a delta", 'a pack of 64 KiB may contain an object of 4 GiB; larger files are sent whole and streamed to disk', 'git rejects the push or the fetch, and keeps nothing of it'),
  time: createBudget(1_800_000, 'ms', 'a clone or a push over HTTPS with its hooks', '512 MiB at 4 Mbit/s take 18 minutes, and the gate takes up to five', 'git is ended, and the connection is closed'),
  commands: createBudget(1 * MiB, 'bytes', 'the list of refs of a push with its options', 'a thousand refs of 255 characters, twice', '413, before git receives anything'),
  refs: createBudget(1000, 'items', 'refs of one push over HTTPS', 'a first push of all branches and tags; each ref is authorized by auth.conf', 'the push is rejected before git receives anything'),
  pushOptions: createBudget(16 * KiB, 'bytes', 'the options of one push (`git push -o`)', 'hooks receive them as environment variables; our own option has 15 characters', '413, before git receives anything'),
  negotiation: createBudget(8 * MiB, 'bytes', 'the wanted and existing commits in a fetch request, unpacked', 'the ids of 150,000 commits; the server checks them in memory before git receives them', '413'),
  pushes: createBudget(4, 'at once', 'pushes over HTTPS', 'each takes a git process of up to 768 MiB, then a hook of 100 MiB that parses code', 'further pushes wait in turn'),
  pushesOfOne: createBudget(2, 'at once', 'pushes over HTTPS of one client', 'half remains for other clients', 'further pushes wait in turn'),
  fetches: createBudget(16, 'at once', 'clones, fetches and ref listings over HTTPS', 'each takes a git process of about 50 MiB', 'further requests wait in turn'),
  fetchesOfOne: createBudget(8, 'at once', 'clones, fetches and ref listings of one client', 'half remains for other clients', 'further requests wait in turn'),
  waiting: createBudget(128, 'at once', 'waiting pushes, and as many waiting fetches; at most half of them of one client', 'each is only a connection', '503 with Retry-After'),
  waitTime: createBudget(600_000, 'ms', 'the wait of a push or a fetch for its turn', 'the gate takes at most five minutes (gate_budget)', '503 with Retry-After'),
}
