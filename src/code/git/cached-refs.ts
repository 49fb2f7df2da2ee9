import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refs } from './git-object-source.ts'

/**
 * Milliseconds after which git is queried even if no file has changed: a symbolic ref may point to
 * a ref outside of the watched files.
 */
const maxAgeMs = 60_000
/**
 * Milliseconds after which git is queried while a ref is broken, even if no file has changed: changing the
 * permissions of an object's file may repair the ref.
 */
const maxAgeOfBrokenMs = 5000
/** Milliseconds within which a second change of a file may leave its modification time unchanged. */
const tick = 100
/**
 * Milliseconds within which a second change of a file may leave its modification time unchanged, on file systems
 * that store times in steps of one or two seconds, such as FAT.
 */
const coarseTick = 2000

interface CachedListing {
  readonly refs: Refs
  readonly asked: number
  readonly stamp: Stamp | undefined
}

/**
 * Caches the refs with a prefix as long as git's ref files do not change. Without the cache, each
 * check for moved refs would start a process, which blocks a large process for a noticeable time.
 */
export class CachedRefs {
  readonly #gitDir: string
  readonly #remembered = new Map<string, CachedListing>()

  constructor(gitDir: string) {
    this.#gitDir = gitDir
  }

  /** Returns the refs with a prefix; `ask` queries git. */
  async list(prefix: string, ask: () => Promise<Refs>): Promise<Refs> {
    const before = this.#remembered.get(prefix)
    const asked = Date.now()
    const stamp = await readRefsStamp(this.#gitDir, prefix)
    if (before && stamp && isStillValid(before, stamp, asked)) return before.refs
    const refs = await ask()
    this.#remembered.set(prefix, { refs, asked, stamp })
    return refs
  }
}

function isStillValid({ refs, stamp, asked }: CachedListing, now: Stamp, time: number): boolean {
  const enough = refs.broken.size > 0 ? maxAgeOfBrokenMs : maxAgeMs
  return stamp?.text === now.text && asked > stamp.settled && time - asked < enough
}

interface Stamp {
  /** Text that changes whenever the files change. */
  readonly text: string
  /** Milliseconds since 1970 after which any further change produces a different text. */
  readonly settled: number
}

/**
 * Returns a stamp of the ref files; `undefined` if refs are stored elsewhere: in a reftable, or in
 * the main repository of a worktree.
 */
async function readRefsStamp(gitDir: string, prefix: string): Promise<Stamp | undefined> {
  const elsewhere = ['reftable', 'commondir'].map((name) => join(gitDir, name))
  if ((await Promise.all(elsewhere.map(readFileStamp))).some((each) => each !== undefined)) return undefined
  const folder = join(gitDir, prefix)
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const paths = [join(gitDir, 'packed-refs'), folder, ...names.sort().map((name) => join(folder, name))]
  const stamps = (await Promise.all(paths.map(readFileStamp))).filter((each) => each !== undefined)
  return {
    text: stamps.map(({ text }) => text).join('\n'),
    settled: stamps.reduce((last, { settled }) => Math.max(last, settled), 0),
  }
}

async function readFileStamp(path: string): Promise<Stamp | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  if (!found) return undefined
  const { ino, size, mtimeNs, mtimeMs } = found
  const isWholeSecond = mtimeNs % 1_000_000_000n === 0n
  return { text: `${path} ${ino} ${size} ${mtimeNs}`, settled: Number(mtimeMs) + (isWholeSecond ? coarseTick : tick) }
}
