import type { Json } from '../../../base/json/json-checks.ts'
import { shortenAnswer } from '../../trace/trace-step.ts'

/** Reply for a key that has no value in the cache. */
const absent = 'absent'

/**
 * The host's copy of a lookup context's cache in one catalog: digests of the values in Ruby, and
 * the values that recalled calls would have cached.
 */
export class ContextCache {
  readonly #values = new Map<string, string>()
  #late: (readonly [key: Json, value: Json])[] = []
  #isLost = false

  /** Returns the digest of a key's value; `undefined` if the cache is lost. */
  answer(key: Json): string | undefined {
    return this.#isLost ? undefined : (this.#values.get(JSON.stringify(key)) ?? absent)
  }

  /** Records that a call cached a value. */
  keep(key: Json, value: Json): void {
    this.#values.set(JSON.stringify(key), shortenAnswer(JSON.stringify(value)))
  }

  /** Records that a recalled call would have cached a value. */
  keepLate(key: Json, value: Json): void {
    this.keep(key, value)
    this.#late.push([key, value])
  }

  /** Returns and clears the values of recalled calls, which Ruby has to cache before it runs again. */
  takeLate(): readonly (readonly [key: Json, value: Json])[] {
    const late = this.#late
    this.#late = []
    return late
  }

  /** Marks the contents of the cache as unknown. */
  lose(): void {
    this.#isLost = true
  }
}
