import { budgets } from '../../base/budgets/budgets.ts'
import type { Sight } from '../../ruby/machine.ts'
import type { SeenByRuby } from './seen-by-ruby.ts'

/** More are too many to compare. */
const most = budgets.environment.rubySights.bound

/**
 * The sights of a machine: paths, folders, and the clock, as they were. Those that Ruby may keep in mind have to be the
 * same in another commit for the machine to go on with that. Those of code that keeps nothing only have to be dropped from
 * the prelude's file data, which is kept by path.
 */
export class Sights {
  readonly #kept = new Map<string, string>()
  readonly #passing = new Map<string, string>()

  /** Notes a sight, and what was seen. */
  add({ kind, path }: Sight, isKept: boolean, seen: SeenByRuby): void {
    const name = `${kind} ${path}`
    if (kind === 'chance' || this.#isFull || this.#kept.has(name)) return
    ;(isKept ? this.#kept : this.#passing).set(name, answerTo(name, seen))
  }

  /** True for an environment that is the same in all that Ruby may keep in mind. */
  agreeWith(seen: SeenByRuby): boolean {
    if (this.#isFull) return false
    for (const [name, answer] of this.#kept) if (answerTo(name, seen) !== answer) return false
    return true
  }

  /** Forgets the paths that are others in this environment, and were seen by code that keeps nothing; gives them. */
  takeChanged(seen: SeenByRuby): readonly string[] {
    const changed = [...this.#passing].filter(([name, answer]) => answerTo(name, seen) !== answer)
    for (const [name] of changed) this.#passing.delete(name)
    return changed.map(([name]) => pathOf(name))
  }

  /** Sights that Ruby may keep in mind; `undefined` where they are more than was noted. */
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
