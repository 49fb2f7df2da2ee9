import type { AnyResource } from '../resources/managed-resource.ts'
import { ancestors } from '../resources/types/file.ts'
import type { AppliedCatalog } from './applied-catalog.ts'
import type { Relationships, Vertex } from './relationship-graph.ts'

/**
 * Puts generated resources right after the one that generated them, each after its nearest generated ancestor; what
 * came after the generating one now comes after all of them, too.
 */
export function addChildren(
  catalog: AppliedCatalog,
  graph: Relationships,
  parent: Vertex,
  children: readonly AnyResource[],
): void {
  const made = new Map<string, Vertex>()
  for (const [index, child] of children.entries()) {
    const known = catalog.lookup(child.type.name, child.title)
    if (known) continue
    const entry = catalog.addGenerated(child, parent.entry)
    made.set(child.name, { entry, role: 'resource', priority: [...parent.priority, index + 1] })
  }
  const end: Vertex = { entry: parent.entry, role: 'end', priority: [...parent.priority, 0] }
  for (const target of graph.successors(parent)) {
    graph.addEdge(end, target, graph.label(parent, target)!)
    graph.removeEdge(parent, target)
  }
  graph.addEdge(parent, end, { refreshes: true })
  for (const [name, vertex] of made) {
    const above = ancestors(name).find((path) => made.has(path))
    graph.addEdge(above === undefined ? parent : made.get(above)!, vertex, { refreshes: false })
    graph.addEdge(vertex, end, { refreshes: true })
  }
}
