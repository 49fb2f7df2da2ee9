import { type KeyedValue, toMapKey } from './hash-key.ts'
import type { Value } from './value.ts'

/** An immutable, ordered Hash with keys of any type. */
export class Hash implements Iterable<readonly [Value, Value]>, KeyedValue {
  static readonly empty: Hash = new Hash(new Map())

  /** Entries by the `toMapKey` of each key. */
  readonly #entries: ReadonlyMap<unknown, readonly [Value, Value]>

  protected constructor(entries: ReadonlyMap<unknown, readonly [Value, Value]>) {
    this.#entries = entries
  }

  /** Gives a subclass the entries of a hash without copying them. */
  protected static getEntries(hash: Hash): ReadonlyMap<unknown, readonly [Value, Value]> {
    return hash.#entries
  }

  /**
   * Builds a hash. A later entry with an equal key replaces the value and keeps the position of the
   * earlier one.
   */
  static of(entries: Iterable<readonly [Value, Value]>): Hash {
    const map = new Map<unknown, readonly [Value, Value]>()
    for (const entry of entries) {
      const identity = toMapKey(entry[0])
      const earlier = map.get(identity)
      map.set(identity, earlier ? [earlier[0], entry[1]] : entry)
    }
    return new Hash(map)
  }

  /** Builds a hash from an object with string keys. */
  static from(record: Readonly<Record<string, Value>>): Hash {
    return Hash.of(Object.entries(record))
  }

  /** Returns a text for comparison, which does not depend on the order of entries. */
  keyText(of: (value: Value) => string): string {
    const entries = Array.from(this, ([key, value]) => `${of(key)}=>${of(value)}`)
    return `{${entries.sort().join()}}`
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: Value): boolean {
    return this.#entries.has(toMapKey(key))
  }

  get(key: Value): Value {
    return this.#entries.get(toMapKey(key))?.[1]
  }

  keys(): Value[] {
    return Array.from(this.#entries.values(), ([key]) => key)
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ([, value]) => value)
  }

  entries(): IterableIterator<readonly [Value, Value]> {
    return this.#entries.values() as IterableIterator<readonly [Value, Value]>
  }

  [Symbol.iterator](): IterableIterator<readonly [Value, Value]> {
    return this.entries()
  }

  /** A copy with one entry added or replaced. */
  with(key: Value, value: Value): Hash {
    return Hash.of([...this, [key, value]])
  }

  /** Returns a copy with the entries of `other`, which take precedence. */
  merge(other: Hash): Hash {
    return other.size === 0 ? this : Hash.of([...this, ...other])
  }

  /** A copy without the given keys. */
  without(keys: Iterable<Value>): Hash {
    const gone = new Set(Array.from(keys, toMapKey))
    return Hash.of([...this].filter(([key]) => !gone.has(toMapKey(key))))
  }
}
