import { budgets } from '../../base/budgets/budgets.ts'
import type { Sight } from '../../ruby/machine.ts'
import type { SeenByRuby } from './seen-by-ruby.ts'

/** Largest number of inputs to record. */
const most = budgets.environment.rubySights.bound

/**
 * The inputs (paths, folders, the clock) that Ruby read in one machine, with their state. To reuse the machine for
 * another commit, all inputs that Ruby may have cached must be unchanged. Changed inputs of code that caches nothing
 * are only removed from the prelude's cache of files, which caches by path.
 */
export class Sights {
  readonly #kept = new Map<string, string>()
  readonly #passing = new Map<string, string>()

  /** Records an input with its current state. */
  add({ kind, path }: Sight, isKept: boolean, seen: SeenByRuby): void {
    const name = `${kind} ${path}`
    if (kind === 'chance' || this.#isFull || this.#kept.has(name)) return
    ;(isKept ? this.#kept : this.#passing).set(name, answerTo(name, seen))
  }

  /** Returns true if all inputs that Ruby may have cached have the same state in the environment. */
  agreeWith(seen: SeenByRuby): boolean {
    if (this.#isFull) return false
    for (const [name, answer] of this.#kept) if (answerTo(name, seen) !== answer) return false
    return true
  }

  /** Removes and returns the changed paths that only code without caches has read. */
  takeChanged(seen: SeenByRuby): readonly string[] {
    const changed = [...this.#passing].filter(([name, answer]) => answerTo(name, seen) !== answer)
    for (const [name] of changed) this.#passing.delete(name)
    return changed.map(([name]) => pathOf(name))
  }

  /** Returns the inputs that Ruby may have cached; `undefined` if there were too many inputs to record. */
  kept(): readonly Pick<Sight, 'kind' | 'path'>[] | undefined {
    if (this.#isFull) return undefined
    return Array.from(this.#kept.keys(), (name) => ({ kind: kindOf(name), path: pathOf(name) }))
  }

  get #isFull(): boolean {
    return this.#kept.size + this.#passing.size > most
  }
}

function answerTo(name: string, { pathAnswer, folderAnswer, time }: SeenByRuby): string {
  if (name.startsWith('path ')) return pathAnswer(pathOf(name))
  return name.startsWith('folder ') ? folderAnswer(pathOf(name)) : String(time)
}

function kindOf(name: string): Sight['kind'] {
  return name.slice(0, name.indexOf(' ')) as Sight['kind']
}

function pathOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}
