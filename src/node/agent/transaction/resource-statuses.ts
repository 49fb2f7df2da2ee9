import type { CatalogEntry } from '../applied-catalog.ts'
import type { Relationships, Vertex } from '../relationship-graph.ts'
import { StatusBuilder } from '../report-builder.ts'

/** Statuses of the resources and containers of a transaction, created on demand. */
export class ResourceStatuses {
  readonly #now: () => number
  readonly #resources = new Map<CatalogEntry, StatusBuilder>()
  /** Statuses of containers, which propagate failures but are not reported. */
  readonly #containers = new Map<Vertex, StatusBuilder>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Statuses for the report. */
  get reported(): readonly StatusBuilder[] {
    return [...this.#resources.values()]
  }

  of(entry: CatalogEntry): StatusBuilder {
    const known = this.#resources.get(entry)
    if (known) return known
    const status = new StatusBuilder(entry, this.#now())
    this.#resources.set(entry, status)
    return status
  }

  /** The status of a resource, or of the beginning or end of a container. */
  ofVertex(vertex: Vertex): StatusBuilder {
    if (vertex.role === 'resource') return this.of(vertex.entry)
    const known = this.#containers.get(vertex) ?? new StatusBuilder(vertex.entry, this.#now())
    this.#containers.set(vertex, known)
    return known
  }

  /** Returns the failed resources that a vertex depends on, directly or through other resources. */
  failedDependencies(vertex: Vertex, graph: Relationships): readonly CatalogEntry[] {
    const failed = new Set<CatalogEntry>()
    for (const before of graph.predecessors(vertex)) {
      const status = this.ofVertex(before)
      for (const entry of status.failedDependencies) failed.add(entry)
      if (status.failed || status.failedToRestart) failed.add(before.entry)
    }
    return [...failed]
  }
}
