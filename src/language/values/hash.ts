import { type Keyed, keyOf } from './hash-key.ts'
import type { Value } from './value.ts'

/** A Hash: any value is a key, order is kept, nothing changes it once made. */
export class Hash implements Iterable<readonly [Value, Value]>, Keyed {
  static readonly empty: Hash = new Hash(new Map())

  /** By an identity that JavaScript compares as Puppet does. */
  readonly #entries: ReadonlyMap<unknown, readonly [Value, Value]>

  protected constructor(entries: ReadonlyMap<unknown, readonly [Value, Value]>) {
    this.#entries = entries
  }

  /** The entries of a hash, for one that shares them. */
  protected static entriesOf(hash: Hash): ReadonlyMap<unknown, readonly [Value, Value]> {
    return hash.#entries
  }

  /** A later entry replaces the value of an earlier one with an equal key, and keeps its place. */
  static of(entries: Iterable<readonly [Value, Value]>): Hash {
    const map = new Map<unknown, readonly [Value, Value]>()
    for (const entry of entries) {
      const identity = keyOf(entry[0])
      const earlier = map.get(identity)
      map.set(identity, earlier ? [earlier[0], entry[1]] : entry)
    }
    return new Hash(map)
  }

  /** From an object with string keys. */
  static from(record: Readonly<Record<string, Value>>): Hash {
    return Hash.of(Object.entries(record))
  }

  /** Equal whatever the order. */
  keyText(of: (value: Value) => string): string {
    const entries = Array.from(this, ([key, value]) => `${of(key)}=>${of(value)}`)
    return `{${entries.sort().join()}}`
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: Value): boolean {
    return this.#entries.has(keyOf(key))
  }

  get(key: Value): Value {
    return this.#entries.get(keyOf(key))?.[1]
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

  /** With one more entry, or another value for a key. */
  with(key: Value, value: Value): Hash {
    return Hash.of([...this, [key, value]])
  }

  /** This and the other's entries; the other wins. */
  merge(other: Hash): Hash {
    return other.size === 0 ? this : Hash.of([...this, ...other])
  }

  /** Without some keys. */
  without(keys: Iterable<Value>): Hash {
    const gone = new Set(Array.from(keys, keyOf))
    return Hash.of([...this].filter(([key]) => !gone.has(keyOf(key))))
  }
}
