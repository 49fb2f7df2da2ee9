/** A name with the number of its uses. */
export interface CountedName {
  readonly name: string
  readonly owner: CountedNames
  count: number
}

/** Names with the number of their uses, so that the uses of one file can be taken away again. */
export class CountedNames {
  readonly #entries = new Map<string, CountedName>()
  #version = 0

  /** Changes when a name is added for the first time, or removed. */
  get version(): number {
    return this.#version
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  count(name: string): number {
    return this.#entries.get(name)?.count ?? 0
  }

  find(name: string): CountedName | undefined {
    return this.#entries.get(name)
  }

  list(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Counts one more use. */
  add(name: string): CountedName {
    const known = this.#entries.get(name)
    if (known) {
      known.count++
      return known
    }
    const entry = { name, owner: this, count: 1 }
    this.#entries.set(name, entry)
    this.#version++
    return entry
  }

  /** Counts one use less. */
  remove(entry: CountedName): void {
    entry.count--
    if (entry.count > 0) return
    this.#entries.delete(entry.name)
    this.#version++
  }
}
