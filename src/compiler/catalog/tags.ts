/**
 * Tags of a resource, in order of addition. A container's tags are stored once and shared by all its resources, since a
 * resource typically has a dozen tags, of which only two or three are its own.
 */
export class Tags {
  /** The resource's own tags that were added before the tags of its container. */
  readonly #first: string[] = []
  #shared: readonly string[] | undefined
  /**
   * The resource's own tags that were added after the tags of its container; contains none of the container's tags.
   */
  #later: string[] | undefined
  /** Cache of the complete list of tags. */
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

  /** Returns all tags without duplicates. */
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
