import { Hash } from './hash.ts'
import type { Value } from './value.ts'

/** Receives reads of a hash. A path is the list of keys from the outermost hash. */
export interface HashWatcher {
  /**
   * Reports a read of the value at a path, which may be absent. Returns true to watch a hash at that path; otherwise
   * all of it counts as read.
   */
  reads(path: readonly string[]): boolean
  /** Reports a read of the whole hash at a path. */
  readsAll(path: readonly string[]): void
}

/** A hash that reports reads of itself and of nested hashes to a watcher: by key, or as a whole. */
export class WatchedHash extends Hash {
  readonly #watcher: HashWatcher
  readonly #path: readonly string[]
  /** Nested watched hashes by key. Each is created once, so that object identity is stable. */
  readonly #inside = new Map<Value, Value>()

  constructor(hash: Hash, watcher: HashWatcher, path: readonly string[] = []) {
    super(Hash.getEntries(hash))
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
