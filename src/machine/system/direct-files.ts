import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { ignoreAbsentPath, listNamesSync, localFiles, toFileStat } from './files.ts'
import type { Files } from './system.ts'

/**
 * Maximum size in bytes of a file read synchronously; reading a larger file from a slow disk would
 * block the process.
 */
const directBytes = 1024 * 1024

/** Milliseconds of synchronous access after which pending timers and signals are processed. */
const turnMs = 10

/**
 * Synchronous file access for a process with a single task, such as an agent run. Short operations
 * avoid the thread pool, which would take ten times longer than the operation itself. Files on
 * which an operation can block, such as pipes and devices, are not accessed synchronously.
 */
export const directFiles: Files = {
  ...localFiles,
  stat: (path) =>
    runDirectly(async () => {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat && toFileStat(stat)
    }),
  readLink: (path) => runDirectly(async () => readlinkSync(path)),
  read: (path) => runDirectly(async () => (isSmall(path) ? readFileSync(path) : localFiles.read(path))),
  readText: (path) => runDirectly(async () => (isSmall(path) ? readFileSync(path, 'utf8') : localFiles.readText(path))),
  list: (directory) => runDirectly(async () => listNamesSync(directory).sort()),
}

/** Time at which timers and signals were last processed. */
let turnBegan = performance.now()

async function runDirectly<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  if (performance.now() - turnBegan > turnMs) {
    await new Promise((done) => setImmediate(done))
    turnBegan = performance.now()
  }
  return ignoreAbsentPath(ask)
}

function isSmall(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined || (stat.isFile() && stat.size <= directBytes)
}
