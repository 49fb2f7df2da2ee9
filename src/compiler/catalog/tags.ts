/**
 * Tags of a resource, in order of addition. Tags inherited from a container are stored once for all
 * its resources: of a dozen tags, a resource has two or three of its own.
 */
export class Tags {
  /** Own tags added before the container's. */
  readonly #first: string[] = []
  #shared: readonly string[] | undefined
  /** Own tags added after the container's and not among those. */
  #later: string[] | undefined
  /** Cache of all tags. */
  #all: readonly string[] | undefined

  has(tag: string): boolean {
    return this.#first.includes(tag) || (this.#shared?.includes(tag) ?? false) || (this.#later?.includes(tag) ?? false)
  }

  add(tag: string): void {
    if (this.has(tag)) return
    this.#all = undefined
    if (!this.#shared) this.#first.push(tag)
    else if (this.#later) this.#later.push(tag)
    else this.#later = [tag]
  }

  /** Adds the current tags of a container. */
  addAll(container: Tags): void {
    const tags = container.list()
    if (tags === this.#shared) return
    if (this.#shared) {
      for (const tag of tags) this.add(tag)
    } else {
      this.#shared = tags
      this.#all = undefined
    }
  }

  /** All tags without duplicates. */
  list(): readonly string[] {
    this.#all ??= this.#made()
    return this.#all
  }

  #made(): readonly string[] {
    const tags = this.#first.slice()
    for (const tag of this.#shared ?? []) if (!this.#first.includes(tag)) tags.push(tag)
    for (const tag of this.#later ?? []) tags.push(tag)
    return tags
  }
}
