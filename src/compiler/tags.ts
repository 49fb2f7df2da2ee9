/** A set of tags as it was once. */
interface Snapshot {
  readonly list: readonly string[]
  readonly set: ReadonlySet<string>
}

/**
 * The tags of a resource, in the order in which they came. Those that it has of its container are shared by all that the
 * container holds: a large catalog has a few for each resource, and a dozen more of what it is in.
 */
export class Tags {
  /** Its own, before it was put in a container. */
  readonly #first: string[] = []
  #shared: Snapshot | undefined
  /** What came after those of the container, and is not among these. */
  #later: string[] | undefined
  #snapshot: Snapshot | undefined

  has(tag: string): boolean {
    return this.#first.includes(tag) || (this.#shared?.set.has(tag) ?? false) || (this.#later?.includes(tag) ?? false)
  }

  add(tag: string): void {
    if (this.has(tag)) return
    this.#snapshot = undefined
    if (!this.#shared) this.#first.push(tag)
    else if (this.#later) this.#later.push(tag)
    else this.#later = [tag]
  }

  addAll(container: Tags): void {
    const tags = container.#asNow()
    if (tags === this.#shared) return
    if (this.#shared) {
      for (const tag of tags.list) this.add(tag)
    } else {
      this.#shared = tags
      this.#snapshot = undefined
    }
  }

  #asNow(): Snapshot {
    if (this.#snapshot) return this.#snapshot
    const set = new Set([...this.#first, ...(this.#shared?.list ?? []), ...(this.#later ?? [])])
    this.#snapshot = { list: [...set], set }
    return this.#snapshot
  }

  /** Each once. */
  list(): string[] {
    const tags = this.#first.slice()
    for (const tag of this.#shared?.list ?? []) if (!this.#first.includes(tag)) tags.push(tag)
    if (this.#later) tags.push(...this.#later)
    return tags
  }
}
