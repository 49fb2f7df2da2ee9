/**
 * The tags of a resource, in the order in which they came. Those that it has of its container are shared by all that the
 * container holds: of a dozen tags, a resource has two or three of its own.
 */
export class Tags {
  /** Its own, before it was put in a container. */
  readonly #first: string[] = []
  #shared: readonly string[] | undefined
  /** Own tags that were added after the container's, and are not among those. */
  #later: string[] | undefined
  /** All of them, until another one comes. */
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

  /** Adds those that a container has now. */
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

  /** Each once. */
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
