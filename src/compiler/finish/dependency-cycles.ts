import { Graph } from '../../base/graph.ts'
import { buildCycleReport } from '../../node/resources/cycle-report.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { RelatedResources } from '../catalog/compilation.ts'
import type { ResourceTable } from '../catalog/resource-table.ts'

/**
 * An edge of a dependency graph, between two points. A resource is one point; a container is two points, its
 * beginning and its end.
 */
type Edge = readonly [from: number, to: number]

/**
 * Returns the message that an agent would log for a dependency cycle; `undefined` if there is no cycle. Edges that only
 * agents know, such as autorequires, are not included. In Puppet, only agents detect cycles.
 */
export function describeDependencyCycles(
  table: ResourceTable,
  related: readonly RelatedResources[],
): string | undefined {
  if (related.length === 0) return undefined
  const resources = table.resources.filter(({ virtual }) => !virtual)
  const edges = listEdges(resources, table, related)
  if (!hasCycle(resources.length * 2, edges)) return undefined
  const graph = new Graph<number>()
  for (const [from, to] of edges) graph.addEdge(from, to)
  const report = buildCycleReport(graph, (point) => resources[point >> 1]!.reference)
  return report && [report.heading, ...report.ways].join('\n')
}

function listEdges(
  resources: readonly CatalogResource[],
  table: ResourceTable,
  related: readonly RelatedResources[],
): Edge[] {
  const numbers = new Map(resources.map((resource, index) => [resource, index]))
  const edges: Edge[] = []
  for (const [index, resource] of resources.entries()) {
    if (!isContainer(resource)) continue
    const [beginning, end] = [index * 2, index * 2 + 1]
    edges.push([beginning, end])
    for (const content of table.contents(resource)) {
      const number = numbers.get(content)
      if (number !== undefined) edges.push([beginning, number * 2], [getEndPoint(content, number), end])
    }
  }
  for (const { first, next } of related) {
    const [before, after] = [numbers.get(first), numbers.get(next)]
    if (before !== undefined && after !== undefined) edges.push([getEndPoint(first, before), after * 2])
  }
  return edges
}

function getEndPoint(resource: CatalogResource, number: number): number {
  return number * 2 + (isContainer(resource) ? 1 : 0)
}

/** True for classes, stages and defined resources. */
function isContainer({ native, type }: CatalogResource): boolean {
  return native === undefined || type === 'Stage'
}

/**
 * Returns true if the graph has a cycle: repeatedly removes points without dependencies, and checks if points are left.
 */
function hasCycle(size: number, edges: readonly Edge[]): boolean {
  const waiting = new Uint32Array(size)
  const starts = new Uint32Array(size + 1)
  for (const [from, to] of edges) {
    waiting[to]!++
    starts[from + 1]!++
  }
  for (let point = 0; point < size; point++) starts[point + 1]! += starts[point]!
  const followers = new Uint32Array(edges.length)
  const filled = starts.slice()
  for (const [from, to] of edges) followers[filled[from]!++] = to
  const ready: number[] = []
  for (let point = 0; point < size; point++) if (waiting[point] === 0) ready.push(point)
  let left = size
  for (let point = ready.pop(); point !== undefined; point = ready.pop()) {
    left--
    for (let at = starts[point]!; at < starts[point + 1]!; at++)
      if (--waiting[followers[at]!]! === 0) ready.push(followers[at]!)
  }
  return left > 0
}
