import type { WorkedCatalog } from '../../compiler/script-evaluation.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { AppliedCatalog } from '../../node/agent/applied-catalog.ts'
import { buildPlainRelationships, buildRelationshipGraph } from '../../node/agent/relationship-graph.ts'
import { buildCycleReport } from '../../node/resources/cycle-report.ts'
import { types } from '../../node/resources/types.ts'

/** The relationships of a catalog as an agent would compute them. */
export interface CatalogRelations {
  /** Edges by reference, including the automatic ones: source, target, and whether a change refreshes the target. */
  readonly edges: readonly (readonly [source: string, target: string, refreshes: boolean])[]
  /** Dependency cycles, as in Puppet's message. */
  readonly cycles: readonly string[]
}

/**
 * Checks the attributes of the resources with built-in types that no module defines itself, and computes the relationships. Throws the error of the
 * first invalid resource. Providers are not chosen: the machine of a test is not the node.
 */
export function computeRelations({ catalog, moduleTypes }: WorkedCatalog): CatalogRelations {
  const builtin = new Map([...types].filter(([name]) => !moduleTypes.includes(capitalizeSegments(name))))
  const applied = new AppliedCatalog(catalog, builtin)
  for (const entry of applied.entries()) {
    entry.resource?.parse()
    applied.registerNames(entry)
  }
  const edges = [...buildPlainRelationships(applied).edges()].map(
    ([from, to, { refreshes }]) => [from.reference, to.reference, refreshes] as const,
  )
  const report = buildCycleReport(buildRelationshipGraph(applied), ({ entry }) => entry.reference)
  return { edges, cycles: report?.ways ?? [] }
}
