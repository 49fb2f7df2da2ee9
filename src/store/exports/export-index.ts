import type { ExportedResource } from '../../model/exported-resource.ts'

/** Index of the nodes that export resources of each type, so that a search reads the data of only those nodes. */
export class ExportIndex {
  readonly #typesOf = new Map<string, ReadonlySet<string>>()
  readonly #nodesOf = new Map<string, Set<string>>()
  /** Cached sorted lists, removed when a list changes. */
  readonly #sorted = new Map<string, readonly string[]>()

  /** Replaces the exports of a node. */
  set(certname: string, resources: readonly ExportedResource[]): void {
    const types = new Set(resources.map(({ type }) => type))
    const before = this.#typesOf.get(certname) ?? new Set()
    for (const type of before) if (!types.has(type)) this.#leave(type, certname)
    for (const type of types) if (!before.has(type)) this.#join(type, certname)
    if (types.size > 0) this.#typesOf.set(certname, types)
    else this.#typesOf.delete(certname)
  }

  /** Returns the nodes that export resources of a type, sorted by name. */
  nodesWith(type: string): readonly string[] {
    const known = this.#sorted.get(type)
    if (known) return known
    const sorted = [...(this.#nodesOf.get(type) ?? [])].sort()
    this.#sorted.set(type, sorted)
    return sorted
  }

  #join(type: string, certname: string): void {
    const nodes = this.#nodesOf.get(type) ?? new Set()
    this.#nodesOf.set(type, nodes.add(certname))
    this.#sorted.delete(type)
  }

  #leave(type: string, certname: string): void {
    const nodes = this.#nodesOf.get(type)
    nodes?.delete(certname)
    if (nodes?.size === 0) this.#nodesOf.delete(type)
    this.#sorted.delete(type)
  }
}
