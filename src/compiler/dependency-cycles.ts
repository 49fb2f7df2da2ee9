import { Graph } from '../base/graph.ts'
import type { Value } from '../language/values/value.ts'
import { cycleReport } from '../resources/cycle-report.ts'
import type { CatalogResource } from './catalog-resource.ts'
import { referencesIn } from './finish.ts'
import type { ResourceTable } from './resource-table.ts'

/** Relationship parameters, and whether the resource that has one comes first. */
const relations = [
  ['before', true],
  ['notify', true],
  ['require', false],
  ['subscribe', false],
] as const

/** A resource is one point; what contains others is two, its beginning and its end. */
type Edge = readonly [from: number, to: number]

/**
 * What an agent will say of circles of relationships; `undefined` where there is none. What only agents know, such as
 * autorequires, makes no circle. Puppet finds them on agents alone.
 */
export function dependencyCycles(table: ResourceTable): string | undefined {
  const resources = table.resources.filter(({ virtual }) => !virtual)
  const edges = edgesOf(resources, table)
  if (!isCircular(resources.length * 2, edges)) return undefined
  const graph = new Graph<number>()
  for (const [from, to] of edges) graph.addEdge(from, to)
  const report = cycleReport(graph, (point) => resources[point >> 1]!.reference)
  return report && [report.heading, ...report.ways].join('\n')
}

function edgesOf(resources: readonly CatalogResource[], table: ResourceTable): Edge[] {
  const numbers = new Map(resources.map((resource, index) => [resource, index]))
  const beginning = (resource: CatalogResource) => numbers.get(resource)! * 2
  const end = (resource: CatalogResource) => beginning(resource) + (isContainer(resource) ? 1 : 0)
  const edges: Edge[] = []
  for (const resource of resources) {
    if (isContainer(resource)) edges.push([beginning(resource), end(resource)])
    for (const content of table.contents(resource))
      if (!content.virtual) edges.push([beginning(resource), beginning(content)], [end(content), end(resource)])
    for (const [name, isFirst] of relations)
      for (const other of related(resource.get(name), table))
        if (!other.virtual) edges.push(isFirst ? [end(resource), beginning(other)] : [end(other), beginning(resource)])
  }
  return edges
}

/** Classes, stages and resources of defined types. */
function isContainer({ native, type }: CatalogResource): boolean {
  return native === undefined || type === 'Stage'
}

function related(value: Value, table: ResourceTable): CatalogResource[] {
  if (value === undefined) return []
  return referencesIn(value).flatMap((reference) => table.findReference(reference) ?? [])
}

/** Takes away what waits for nothing, until nothing is left, or only what waits for itself. */
function isCircular(size: number, edges: readonly Edge[]): boolean {
  const waiting = new Uint32Array(size)
  const followers = new Map<number, number[]>()
  for (const [from, to] of edges) {
    waiting[to]!++
    const known = followers.get(from)
    if (known) known.push(to)
    else followers.set(from, [to])
  }
  const ready: number[] = []
  for (let point = 0; point < size; point++) if (waiting[point] === 0) ready.push(point)
  let left = size
  for (let point = ready.pop(); point !== undefined; point = ready.pop()) {
    left--
    for (const next of followers.get(point) ?? []) if (--waiting[next]! === 0) ready.push(next)
  }
  return left > 0
}
