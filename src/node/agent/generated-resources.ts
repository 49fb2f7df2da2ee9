import { listParentPaths } from '../../machine/windows/machine-path.ts'
import type { AnyResource } from '../resources/managed-resource.ts'
import type { AppliedCatalog, CatalogEntry } from './applied-catalog.ts'
import type { Relationships, Vertex } from './relationship-graph.ts'

/**
 * Adds the resources that `parent` generated before the catalog is applied: after `parent`, or
 * before it for types with `generatesBefore`. The resources are evaluated in this order, unless a
 * relationship requires another order.
 */
export function addStaticResources(
  catalog: AppliedCatalog,
  parent: CatalogEntry,
  resources: readonly AnyResource[],
): void {
  const isBefore = parent.resource?.type.generatesBefore === true
  let place = catalog.entries().indexOf(parent) + (isBefore ? 0 : 1)
  for (const resource of resources) {
    const known = catalog.lookup(resource.type.name, resource.title)
    const entry = known ?? catalog.addGenerated(resource, parent, place++)
    if (isRelated(parent, entry) || isRelated(entry, parent)) continue
    const [first, then] = isBefore ? [entry, parent] : [parent, entry]
    first.relations.set('before', [...(first.relations.get('before') ?? []), then.reference])
  }
}

function isRelated({ relations }: CatalogEntry, { reference }: CatalogEntry): boolean {
  return [...relations.values()].some((references) => references.includes(reference))
}

/**
 * Inserts generated resources after their generator, each after its nearest generated ancestor.
 * Vertices that followed the generator now follow all generated resources.
 */
export function addGeneratedResources(
  catalog: AppliedCatalog,
  graph: Relationships,
  parent: Vertex,
  children: readonly AnyResource[],
): void {
  const made = new Map<string, Vertex>()
  for (const [index, child] of children.entries()) {
    const known = catalog.lookup(child.type.name, child.title)
    if (known === parent.entry) continue
    const entry = known ?? catalog.addGenerated(child, parent.entry)
    const vertex: Vertex = { entry, role: 'resource', priority: [...parent.priority, index + 1] }
    made.set(child.name, known ? findVertex(graph, known) : vertex)
  }
  const own = new Set(made.values())
  const end: Vertex = { entry: parent.entry, role: 'end', priority: [...parent.priority, 0] }
  for (const target of graph.successors(parent)) {
    if (own.has(target)) continue
    graph.addEdge(end, target, graph.label(parent, target)!)
    graph.removeEdge(parent, target)
  }
  graph.addEdge(parent, end, { refreshes: true })
  for (const [name, vertex] of made) {
    const above = listParentPaths(name).find((path) => made.has(path))
    connectVertices(graph, above === undefined ? parent : made.get(above)!, vertex, false)
    connectVertices(graph, vertex, end, true)
  }
}

/** Adds an edge, unless the two vertices already have an edge in either direction. */
function connectVertices(graph: Relationships, from: Vertex, to: Vertex, refreshes: boolean): void {
  if (!graph.hasEdge(from, to) && !graph.hasEdge(to, from)) graph.addEdge(from, to, { refreshes })
}

/** The vertex of a resource that is already in the graph. */
function findVertex(graph: Relationships, entry: CatalogEntry): Vertex {
  for (const vertex of graph.nodes()) if (vertex.entry === entry && vertex.role === 'resource') return vertex
  throw new Error(`the graph has no ${entry.reference}`)
}
