import { Hash } from './hash.ts'
import type { Value } from './value.ts'

/** Told of what is read of a hash, by the keys that lead there from the outermost one. */
export interface HashWatcher {
  /** The value at a path, or that there is none. True where a hash there is watched, too: then no more than that it is one. */
  reads(path: readonly string[]): boolean
  /** All that there is at a path. */
  readsAll(path: readonly string[]): void
}

/** A hash that tells what is read of it, and of the hashes in it: key by key, or all at once. */
export class WatchedHash extends Hash {
  readonly #watcher: HashWatcher
  readonly #path: readonly string[]
  /** Hashes inside, each made once, so that it stays the same object. */
  readonly #inside = new Map<Value, Value>()

  constructor(hash: Hash, watcher: HashWatcher, path: readonly string[] = []) {
    super(Hash.entriesOf(hash))
    this.#watcher = watcher
    this.#path = path
  }

  override keyText(of: (value: Value) => string): string {
    this.#readAll()
    return super.keyText(of)
  }

  override get size(): number {
    this.#readAll()
    return super.size
  }

  override has(key: Value): boolean {
    if (typeof key === 'string') this.#watcher.reads([...this.#path, key])
    return super.has(key)
  }

  override get(key: Value): Value {
    const value = super.get(key)
    if (typeof key !== 'string') return value
    const path = [...this.#path, key]
    if (!this.#watcher.reads(path) || !(value instanceof Hash)) return value
    const known = this.#inside.get(key) ?? new WatchedHash(value, this.#watcher, path)
    this.#inside.set(key, known)
    return known
  }

  override keys(): Value[] {
    this.#readAll()
    return super.keys()
  }

  override values(): Value[] {
    this.#readAll()
    return super.values()
  }

  override entries(): IterableIterator<readonly [Value, Value]> {
    this.#readAll()
    return super.entries()
  }

  #readAll(): void {
    this.#watcher.readsAll(this.#path)
  }
}
