import { budgets } from '../../base/budgets/budgets.ts'
import type { InputRead } from '../../ruby/vm/ruby-engine.ts'
import type { RubyView } from './ruby-view.ts'

/** Largest number of inputs to record. */
const most = budgets.environment.rubySights.bound

/**
 * The inputs (paths, folders, the clock) that Ruby read in one machine, with their state. To reuse the machine for
 * another commit, all inputs that Ruby may have cached must be unchanged. Changed inputs of code that caches nothing
 * are only removed from the prelude's cache of files, which caches by path.
 */
export class RubyInputs {
  readonly #kept = new Map<string, string>()
  readonly #passing = new Map<string, string>()

  /** Records an input with its current state. */
  add({ kind, path }: InputRead, isKept: boolean, seen: RubyView): void {
    const name = `${kind} ${path}`
    if (kind === 'chance' || this.#isFull || this.#kept.has(name)) return
    ;(isKept ? this.#kept : this.#passing).set(name, getInputState(name, seen))
  }

  /** Returns true if all inputs that Ruby may have cached have the same state in the environment. */
  agreeWith(seen: RubyView): boolean {
    if (this.#isFull) return false
    for (const [name, answer] of this.#kept) if (getInputState(name, seen) !== answer) return false
    return true
  }

  /** Removes and returns the changed paths that only code without caches has read. */
  takeChanged(seen: RubyView): readonly string[] {
    const changed = [...this.#passing].filter(([name, answer]) => getInputState(name, seen) !== answer)
    for (const [name] of changed) this.#passing.delete(name)
    return changed.map(([name]) => parseInputPath(name))
  }

  /** Returns the inputs that Ruby may have cached; `undefined` if there were too many inputs to record. */
  kept(): readonly Pick<InputRead, 'kind' | 'path'>[] | undefined {
    if (this.#isFull) return undefined
    return Array.from(this.#kept.keys(), (name) => ({ kind: parseInputKind(name), path: parseInputPath(name) }))
  }

  get #isFull(): boolean {
    return this.#kept.size + this.#passing.size > most
  }
}

function getInputState(name: string, { pathAnswer, folderAnswer, time }: RubyView): string {
  if (name.startsWith('path ')) return pathAnswer(parseInputPath(name))
  return name.startsWith('folder ') ? folderAnswer(parseInputPath(name)) : String(time)
}

function parseInputKind(name: string): InputRead['kind'] {
  return name.slice(0, name.indexOf(' ')) as InputRead['kind']
}

function parseInputPath(name: string): string {
  return name.slice(name.indexOf(' ') + 1)
}
