import { budget, KiB, MiB } from './budget.ts'

/** Budgets of repositories, and of clones, fetches and pushes over HTTPS. */
// biome-ignore format: one line per budget
export const git = {
  spooledBytes: budget(1024 * MiB, 'bytes', 'files larger than 1 MiB, kept in vardir to be sent again, besides those that are being read', 'a few packages or images, and the disk of a server has room for it', 'the one that was read longest ago goes, and is taken from the repository again'),
  smallBlobs: budget(16 * MiB, 'bytes', 'files of up to 256 KiB that agents asked for, kept in memory to be sent again', 'the files of a catalog are some hundred, of 4 KiB each, and most nodes have the same', 'the one that was asked for longest ago goes, and is taken from the repository again'),
  spooledFiles: budget(128, 'items', 'such files', 'each holds a descriptor', 'the one that was read longest ago goes, and is taken from the repository again'),
  spoolWrites: budget(2, 'at once', 'files larger than 1 MiB that git writes to vardir', 'each is a process that reads and writes as fast as the disk can', 'waits in turn'),
  pack: budget(512 * MiB, 'bytes', 'the body of one push over HTTPS, unpacked; it goes to git as it comes', 'a control repository with its history of ten years has some 100 MB; a file of its own has no place there', 'git refuses the push, and keeps nothing of it', 'max_push_bytes'),
  memory: budget(768 * MiB, 'bytes', 'memory of one git that takes a push over HTTPS or a fetch, and of each process that it starts', 'two threads with an object of 256 MiB, or its base, and a cache of 96 MiB; packs on disk do not count', 'git refuses the push or the fetch, and keeps nothing of it'),
  objectMemory: budget(256 * MiB, 'bytes', 'one object of a push or a fetch that git holds in memory: a tree, or a file sent as a delta', 'a pack of 64 KiB may contain an object of 4 GiB; larger files are sent whole and streamed to disk', 'git refuses the push or the fetch, and keeps nothing of it'),
  time: budget(1_800_000, 'ms', 'a clone or a push over HTTPS, with its hooks', '512 MiB over a line of 4 Mbit/s take 18 minutes, the gate up to five', 'git is ended, and the connection cut'),
  commands: budget(1 * MiB, 'bytes', 'the list of refs at the head of a push, and its options', 'a thousand refs of 255 characters, twice', '413, before git gets anything'),
  refs: budget(1000, 'items', 'refs of one push over HTTPS', 'a first push of all branches and tags; each is asked about in auth.conf', 'the push is refused, before git gets anything'),
  pushOptions: budget(16 * KiB, 'bytes', 'the options of one push (`git push -o`)', 'hooks get them as variables of their environment; ours has one of 15 characters', '413, before git gets anything'),
  negotiation: budget(8 * MiB, 'bytes', 'what a client says that it wants and has, unpacked', 'the ids of 150,000 commits; it is held in memory, and looked at before git gets it', '413'),
  pushes: budget(4, 'at once', 'pushes over HTTPS', 'each has a git of up to 768 MiB, and then a hook that parses, of 100 MiB', 'the next ones wait in turn'),
  pushesOfOne: budget(2, 'at once', 'pushes over HTTPS of one client', 'half is left to others', 'the next ones wait in turn'),
  fetches: budget(16, 'at once', 'clones, fetches and listings of refs over HTTPS', 'each has a git that packs, of some 50 MiB', 'the next ones wait in turn'),
  fetchesOfOne: budget(8, 'at once', 'clones, fetches and listings of refs of one client', 'half is left to others', 'the next ones wait in turn'),
  waiting: budget(128, 'at once', 'pushes that wait for their turn, and as many fetches; half of them of one client at most', 'each is a connection that costs nothing else', '503 with Retry-After'),
  waitTime: budget(600_000, 'ms', 'the wait for a turn', 'a gate takes five minutes at most (gate_budget)', '503 with Retry-After'),
}
