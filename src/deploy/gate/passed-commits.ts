import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { removeOldestFiles } from '../../machine/system/file-pruning.ts'
import type { GateDecision } from '../../store/audit/record.ts'
import { isNullOid } from '../push-check.ts'

/** A move of an environment's branch from one commit to another. */
export interface PassedMove {
  readonly environment: string
  /** The commit before the move; all zeros for a new branch. */
  readonly before: string
  readonly after: string
}

/**
 * The directory in a repository for records of branch moves that passed the gate. Hooks write it,
 * and a server reads it.
 */
export function getPassedFolder(gitDir: string): string {
  return join(gitDir, 'plumb-passed')
}

/** Maximum number of recorded moves per commit. */
const mostBefore = 100

/**
 * Records of branch moves that passed the gate: a file for each commit of an environment, with a
 * line for each move to this commit.
 */
export class PassedCommits {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the commits from which a move to this commit was accepted. */
  async before({ environment, after }: Pick<PassedMove, 'environment' | 'after'>): Promise<readonly string[]> {
    return (await this.#lines(environment, after)).map((line) => line.split(' ', 1)[0]!)
  }

  /** Records a branch move with the gate's decision; removes the oldest records beyond the limit. */
  async note({ environment, before, after }: PassedMove, word: GateDecision | 'untried'): Promise<void> {
    const known = await this.#lines(environment, after)
    const others = known.filter((line) => !line.startsWith(before)).slice(1 - mostBefore)
    await mkdir(this.#folder, { recursive: true })
    const path = this.#getPath(environment, after)
    const fresh = `${path}.${process.pid}`
    await writeFile(fresh, [...others, `${before} ${word}`, ''].join('\n'), { flush: true })
    await rename(fresh, path)
    await removeOldestFiles(this.#folder, budgets.push.passedCommits.bound)
  }

  async #lines(environment: string, commit: string): Promise<readonly string[]> {
    const text = await readFile(this.#getPath(environment, commit), 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }

  /** Environment names are words and commit IDs are hexadecimal, so paths are unique and stay in the directory. */
  #getPath(environment: string, commit: string): string {
    return join(this.#folder, `${environment}.${commit}`)
  }
}

/**
 * True if a chain of accepted moves leads from `before` to `after`. A single accepted move from a commit that was never accepted
 * is not sufficient, because errors of that commit exist on both sides of the comparison.
 */
export async function hasPassedGate(
  { environment, before, after }: PassedMove,
  kept: readonly Pick<PassedCommits, 'before'>[],
): Promise<boolean> {
  const seen = new Set([after])
  for (const commit of seen) {
    if (seen.size > budgets.push.passedCommits.bound) return false
    for (const each of kept)
      for (const earlier of await each.before({ environment, after: commit })) {
        if (earlier === before) return true
        if (!isNullOid(earlier)) seen.add(earlier)
      }
  }
  return false
}
