import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { removeOldest } from '../../machine/system/remove-oldest.ts'
import type { GateWord } from '../../store/audit/record.ts'
import { isNone } from '../check.ts'

/** A move of an environment's branch. */
export interface PassedMove {
  readonly environment: string
  /** All zeros for a branch that is new. */
  readonly before: string
  readonly after: string
}

/** The folder in a git directory in which the hook keeps what has passed: it may write there, and a server may read. */
export function passedInRepository(gitDir: string): string {
  return join(gitDir, 'plumb-passed')
}

/** Moves from which a commit is known to have passed; more of them are seldom. */
const mostBefore = 100

/** A folder of moves that have passed the gate: a file for each commit of an environment, a line for each move to it. */
export class PassedCommits {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The commits from which an environment was let move to this one. */
  async before({ environment, after }: Pick<PassedMove, 'environment' | 'after'>): Promise<readonly string[]> {
    return (await this.#lines(environment, after)).map((line) => line.split(' ', 1)[0]!)
  }

  /** Keeps a move, with the gate's word for people who look; the oldest go where there are too many. */
  async note({ environment, before, after }: PassedMove, word: GateWord | 'untried'): Promise<void> {
    const known = await this.#lines(environment, after)
    const others = known.filter((line) => !line.startsWith(before)).slice(1 - mostBefore)
    await mkdir(this.#folder, { recursive: true })
    const path = this.#pathOf(environment, after)
    const fresh = `${path}.${process.pid}`
    await writeFile(fresh, [...others, `${before} ${word}`, ''].join('\n'), { flush: true })
    await rename(fresh, path)
    await removeOldest(this.#folder, budgets.push.passedCommits.bound)
  }

  async #lines(environment: string, commit: string): Promise<readonly string[]> {
    const text = await readFile(this.#pathOf(environment, commit), 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }

  /** Environments are words and commits hexadecimal: no name leads elsewhere, and none stands for two. */
  #pathOf(environment: string, commit: string): string {
    return join(this.#folder, `${environment}.${commit}`)
  }
}

/**
 * True where an environment came to a commit by moves that all have passed. One that passed from a commit which was never
 * let pass itself says nothing: what that one broke is broken on both sides of it.
 */
export async function hasPassed(
  { environment, before, after }: PassedMove,
  kept: readonly Pick<PassedCommits, 'before'>[],
): Promise<boolean> {
  const seen = new Set([after])
  for (const commit of seen) {
    if (seen.size > budgets.push.passedCommits.bound) return false
    for (const each of kept)
      for (const earlier of await each.before({ environment, after: commit })) {
        if (earlier === before) return true
        if (!isNone(earlier)) seen.add(earlier)
      }
  }
  return false
}
