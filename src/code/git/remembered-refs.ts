import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refs } from './git-object-source.ts'

/** Milliseconds after which git is asked all the same: a symbolic ref may name one that lies elsewhere. */
const maxAgeMs = 60_000
/** Milliseconds of the same where a ref is broken: mended, perhaps, elsewhere, by the rights of a file of an object. */
const maxAgeOfBrokenMs = 5000
/** Milliseconds within which a second change may leave a file with the very same time. */
const tick = 100
/** Milliseconds of a tick of a file system that keeps whole seconds only, or two at once, as FAT does. */
const coarseTick = 2000

interface Remembered {
  readonly refs: Refs
  readonly asked: number
  readonly stamp: Stamp | undefined
}

/**
 * The refs below a prefix, remembered for as long as git's files of them stay the same. Who looks every
 * moment whether a ref has moved would otherwise start a process each time, for which a large one stands still.
 */
export class RememberedRefs {
  readonly #gitDir: string
  readonly #remembered = new Map<string, Remembered>()

  constructor(gitDir: string) {
    this.#gitDir = gitDir
  }

  /** The refs below a prefix; `ask` asks git for them. */
  async list(prefix: string, ask: () => Promise<Refs>): Promise<Refs> {
    const before = this.#remembered.get(prefix)
    const asked = Date.now()
    const stamp = await stampOfRefs(this.#gitDir, prefix)
    if (before && stamp && isTheSame(before, stamp, asked)) return before.refs
    const refs = await ask()
    this.#remembered.set(prefix, { refs, asked, stamp })
    return refs
  }
}

function isTheSame({ refs, stamp, asked }: Remembered, now: Stamp, time: number): boolean {
  const enough = refs.broken.size > 0 ? maxAgeOfBrokenMs : maxAgeMs
  return stamp?.text === now.text && asked > stamp.settled && time - asked < enough
}

interface Stamp {
  /** A text that stays the same as long as nothing changed. */
  readonly text: string
  /** Milliseconds since 1970 from which on any further change leaves another text. */
  readonly settled: number
}

/** `undefined` where refs are kept in other files: in a reftable, or in the repository of a linked worktree. */
async function stampOfRefs(gitDir: string, prefix: string): Promise<Stamp | undefined> {
  const elsewhere = ['reftable', 'commondir'].map((name) => join(gitDir, name))
  if ((await Promise.all(elsewhere.map(stampOf))).some((each) => each !== undefined)) return undefined
  const folder = join(gitDir, prefix)
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const paths = [join(gitDir, 'packed-refs'), folder, ...names.sort().map((name) => join(folder, name))]
  const stamps = (await Promise.all(paths.map(stampOf))).filter((each) => each !== undefined)
  return {
    text: stamps.map(({ text }) => text).join('\n'),
    settled: stamps.reduce((last, { settled }) => Math.max(last, settled), 0),
  }
}

async function stampOf(path: string): Promise<Stamp | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  if (!found) return undefined
  const { ino, size, mtimeNs, mtimeMs } = found
  const isWholeSecond = mtimeNs % 1_000_000_000n === 0n
  return { text: `${path} ${ino} ${size} ${mtimeNs}`, settled: Number(mtimeMs) + (isWholeSecond ? coarseTick : tick) }
}
