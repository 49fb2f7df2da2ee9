import type { CallWork } from './ruby-call.ts'

/**
 * Recalled calls that must run before Ruby next runs in their scope, or in any scope, since they set variables or define
 * methods in Ruby.
 */
export class LateCalls {
  #calls: CallWork[] = []

  add(call: CallWork, { everywhere = false } = {}): void {
    call.isLateEverywhere ||= everywhere
    if (!this.#calls.includes(call)) this.#calls.push(call)
  }

  /** Removes and returns the calls that must run before Ruby runs in a scope, or in all scopes without `scope`. */
  take(scope: number | undefined): readonly CallWork[] {
    if (this.#calls.length === 0) return []
    const isDue = ({ asker, isLateEverywhere }: CallWork) =>
      scope === undefined || isLateEverywhere || asker.scope === scope || asker.scope === 0
    const due = this.#calls.filter(isDue)
    this.#calls = this.#calls.filter((each) => !isDue(each))
    return due
  }
}
