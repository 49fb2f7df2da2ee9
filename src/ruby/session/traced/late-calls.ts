import type { CallWork } from './ruby-call.ts'

/**
 * Recalled calls that must run before Ruby next runs in their scope, or in any scope, since they set variables or define
 * methods in Ruby.
 */
export class LateCalls {
  /** True for a call that must run before Ruby runs in any scope. */
  readonly #calls = new Map<CallWork, boolean>()

  add(call: CallWork, { everywhere = false } = {}): void {
    this.#calls.set(call, everywhere || this.#calls.get(call) === true)
  }

  /** Removes and returns the calls that must run before Ruby runs in a scope, or in all scopes without `scope`. */
  take(scope: number | undefined): readonly CallWork[] {
    const due = [...this.#calls.keys()].filter(
      (call) =>
        scope === undefined || this.#calls.get(call) === true || call.asker.scope === scope || call.asker.scope === 0,
    )
    for (const call of due) this.#calls.delete(call)
    return due
  }
}
