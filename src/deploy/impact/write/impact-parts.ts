import { formatExactJson } from '../../../base/json/json-text.ts'
import type { CatalogFault } from '../../../compiler/workers/catalog-fault.ts'
import type { ExportChange, Impact } from '../impact-result.ts'
import type { ChangeCounts, FailedCompile, NodeChange, ParameterChange } from '../node-change.ts'

/** Formats node names: `web1, web2, web3 and 44 more`. */
export function formatNodeNames(nodes: readonly string[], most: number): string {
  const more = nodes.length - most
  return more > 0 ? `${nodes.slice(0, most).join(', ')} and ${more} more` : nodes.join(', ')
}

/** Formats a location: `(file: F, line: L, column: C)`, without unknown parts. */
export function formatFaultLocation({
  file,
  line,
  column,
}: Partial<Pick<FailedCompile, 'file' | 'line' | 'column'>>): string {
  const parts = Object.entries({ file, line, column }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return parts.length > 0 ? `(${parts.join(', ')})` : ''
}

/** Describes the kind of a fault, such as `violates the policy no_world_writable`. */
export function formatFaultKind({ kind, rule, severity }: CatalogFault): string {
  if (kind === 'source') return 'a file source does not exist'
  if (kind === 'policies') return 'the policies cannot be evaluated'
  return `${severity === 'error' ? 'violates' : 'has a warning of'} the policy ${rule}`
}

/** Formats a fault with its location, if known. */
export function formatCatalogFault({ resource, message, ...place }: CatalogFault): string {
  const about = resource === undefined ? '' : `${resource}: `
  return `${about}${message} ${formatFaultLocation(place)}`.trimEnd()
}

/** Formats the counts of a change in one line. */
export function formatChangeCounts({ added, removed, changed, moved, edgesAdded, edgesRemoved }: ChangeCounts): string {
  const rest = [
    ...(moved > 0 ? [`${moved} moved`] : []),
    ...(edgesAdded + edgesRemoved > 0 ? [`edges: ${edgesAdded} added, ${edgesRemoved} removed`] : []),
  ]
  return [`${added} added, ${removed} removed, ${changed} changed`, ...rest].join(', ')
}

/** A row of the summary: the number of nodes with an outcome. */
export interface SummaryRow {
  readonly what: string
  readonly nodes: number
}

/** The rows of the summary. Rows with zero nodes are omitted, except the first three. */
export function listSummaryRows({ counts, changed }: Impact): readonly SummaryRow[] {
  const ways = changed.length > 1 ? `would change, in ${changed.length} ways` : 'would change'
  const rows: SummaryRow[] = [
    { what: ways, nodes: counts.changed },
    { what: 'would fail', nodes: counts.broken },
    { what: 'unaffected', nodes: counts.unaffected },
    { what: 'compiled without changes', nodes: counts.same },
    { what: 'failing as before', nodes: counts.failing },
    { what: 'fixed', nodes: counts.mended },
    { what: 'compiled without an earlier catalog to compare', nodes: counts.fresh },
    { what: 'not checked within the time limit', nodes: counts.unchecked },
  ]
  return rows.filter(({ nodes }, index) => index < 3 || nodes > 0)
}

/** A changed resource, with the number of affected nodes. */
export interface ResourceRow {
  readonly sign: '+' | '-' | '~'
  readonly resource: string
  readonly parameters: readonly string[]
  readonly nodes: number
}

/** All changed resources, by descending number of nodes. */
export function listResourceRows({ changed }: Impact): readonly ResourceRow[] {
  const rows = new Map<string, { row: Omit<ResourceRow, 'nodes'>; nodes: number }>()
  for (const { nodes, change } of changed)
    for (const row of listChangeRows(change)) {
      const key = [row.sign, row.resource, ...row.parameters].join('\0')
      const known = rows.get(key) ?? { row, nodes: 0 }
      known.nodes += nodes.length
      rows.set(key, known)
    }
  return [...rows.values()].map(({ row, nodes }) => ({ ...row, nodes })).sort((a, b) => b.nodes - a.nodes)
}

/** The resources of a change: removed, added, changed. */
export function listChangeRows({ added, removed, changed }: NodeChange): readonly Omit<ResourceRow, 'nodes'>[] {
  const parameters: readonly string[] = []
  return [
    ...removed.map((resource) => ({ sign: '-' as const, resource, parameters })),
    ...added.map(({ resource }) => ({ sign: '+' as const, resource, parameters })),
    ...changed.map((each) => ({
      sign: '~' as const,
      resource: each.resource,
      parameters: each.parameters.map(({ name }) => name),
    })),
  ]
}

/** The number of resources, edges and moves that a change counts but does not list. */
export function countUnlistedChanges({ counts, added, removed, changed, moved, edges }: NodeChange): number {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const lists = [added, removed, changed, moved, edges.added, edges.removed]
  return all - lists.reduce((sum, list) => sum + list.length, 0)
}

/** Formats the change of a parameter as lines. */
export function formatParameterChange({ name, from, to, patch, secret }: ParameterChange): readonly string[] {
  if (secret) return [`${name}: changed [redacted]`]
  if (patch !== undefined) return [`${name}:`, ...patch.split('\n').map((line) => `  ${line}`)]
  return [`${name}: ${formatValue(from)} => ${formatValue(to)}`]
}

/** Formats a value as JSON. */
export function formatValue(value: ParameterChange['from']): string {
  return value === undefined ? '(none)' : formatExactJson(value)
}

/** Formats a change of exported resources in one line. */
export function formatExportChange(
  { added, removed, changed, exporters, collectors }: ExportChange,
  most: number,
): string {
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
  const by = `exported by ${formatNodeNames(exporters, most)}`
  return `${counts}; ${by}; ${collectors.length > 0 ? `collected by ${formatNodeNames(collectors, most)}` : 'collected by no other node'}`
}
