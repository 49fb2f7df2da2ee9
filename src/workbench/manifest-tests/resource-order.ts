import { throwIssue } from '../../base/issue.ts'
import type { Catalog } from '../../model/catalog.ts'
import { AppliedCatalog } from '../../node/agent/applied-catalog.ts'
import { buildRelationshipGraph, type Relationships, type Vertex } from '../../node/agent/relationship-graph.ts'
import { buildCycleReport } from '../../node/resources/cycle-report.ts'
import { types } from '../../node/resources/types.ts'
import { manifestTestIssues } from './issues.ts'

/** The order in which an agent applies the resources of a catalog. */
export interface ResourceOrder {
  /** True if `first` is always applied before `second`; both are references such as `File[/etc/motd]`. */
  isBefore(first: string, second: string): boolean
}

/**
 * Resolves relationships, containment, and the autorequires of built-in types. Throws an error for an invalid attribute
 * of a built-in type, for a relationship with a resource that is not in the catalog, and for a dependency cycle.
 */
export function resolveOrder(catalog: Catalog): ResourceOrder {
  const applied = new AppliedCatalog(catalog, types)
  for (const entry of applied.entries()) {
    if (entry.failure !== undefined) continue
    entry.resource?.parse()
    applied.registerNames(entry)
  }
  const graph = buildRelationshipGraph(applied)
  const report = buildCycleReport(graph, ({ entry }) => entry.reference)
  if (report) throwIssue(manifestTestIssues.TEST_CYCLE, { report: [report.heading, ...report.ways].join('\n') })
  const beginnings = new Map<string, Vertex>()
  const ends = new Map<string, Vertex>()
  for (const vertex of graph.nodes()) {
    if (vertex.role !== 'end') beginnings.set(vertex.entry.reference, vertex)
    if (vertex.role !== 'beginning') ends.set(vertex.entry.reference, vertex)
  }
  return {
    isBefore(first, second) {
      const [from, to] = [ends.get(first), beginnings.get(second)]
      return from !== undefined && to !== undefined && isReachable(graph, from, to)
    },
  }
}

function isReachable(graph: Relationships, from: Vertex, to: Vertex): boolean {
  const seen = new Set([from])
  const open = [from]
  for (let vertex = open.pop(); vertex; vertex = open.pop())
    for (const next of graph.successors(vertex)) {
      if (next === to) return true
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  return false
}
