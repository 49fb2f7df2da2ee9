import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { localFiles, namesNow, statOf, unlessAbsent } from './files.ts'
import type { Files } from './system.ts'

/** Bytes of a file that are read at once; of a larger one nothing is, as a slow disk would hold up all else. */
const directBytes = 1024 * 1024

/** Milliseconds after which timers and signals have their turn. */
const turnMs = 10

/**
 * The files of this machine for a process with one thing to do, such as a run of the agent: small questions are asked
 * without a detour over a thread, which takes ten times longer than the answer. What may wait, a pipe or a device, never is.
 */
export const directFiles: Files = {
  ...localFiles,
  stat: (path) =>
    inTurn(async () => {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat && statOf(stat)
    }),
  readLink: (path) => inTurn(async () => readlinkSync(path)),
  read: (path) => inTurn(async () => (isSmall(path) ? readFileSync(path) : localFiles.read(path))),
  readText: (path) => inTurn(async () => (isSmall(path) ? readFileSync(path, 'utf8') : localFiles.readText(path))),
  list: (directory) => inTurn(async () => namesNow(directory).sort()),
}

/** When the last turn of timers and signals began. */
let turnBegan = performance.now()

async function inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  if (performance.now() - turnBegan > turnMs) {
    await new Promise((done) => setImmediate(done))
    turnBegan = performance.now()
  }
  return unlessAbsent(ask)
}

function isSmall(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined || (stat.isFile() && stat.size <= directBytes)
}
