import { toPrintableLine } from '../../../base/text/printable.ts'
import { formatQuantity } from '../../../base/text/quantity.ts'
import type { CompileFailureGroup, FaultGroup, Impact } from '../impact-result.ts'
import type { NodeChange } from '../node-change.ts'
import { formatChange } from './catalog-change.ts'
import {
  formatCatalogFault,
  formatChangeCounts,
  formatExportChange,
  formatFaultKind,
  formatFaultLocation,
  formatNodeNames,
  listChangeRows,
  listSummaryRows,
} from './impact-parts.ts'

/** The length of a text: `short` for the pusher, `full` for all details. */
export type TextLength = 'short' | 'full'

/** Maximum numbers of groups, resources and node names in a short text. */
const mostGroups = 20
const mostResources = 10
const mostNames = 3

/** Formats an impact as text: errors first, then changes, then the totals. */
export function formatImpactText(impact: Impact, length: TextLength): string {
  const lines = [
    ...impact.broken.flatMap((group) => formatFailure(group, 'would fail', length)),
    ...(length === 'full' ? impact.failing.flatMap((group) => formatFailure(group, 'fails as before', length)) : []),
    ...impact.faults.flatMap((group) => formatFault(group, length)),
    ...formatChanges(impact, length),
    ...impact.exports.map((each) => `Exported ${each.type}: ${formatExportChange(each, getNameLimit(length))}`),
    ...formatUncheckedNodes(impact, length),
    formatImpactSummary(impact),
  ]
  return `${lines.map(toPrintableLine).join('\n')}\n`
}

/** Formats the totals in one line: `40 nodes: 2 would change; …`. */
export function formatImpactSummary(impact: Impact): string {
  const all = Object.values(impact.counts).reduce((sum, count) => sum + count, 0)
  const counts = listSummaryRows(impact).map(({ what, nodes }) => `${nodes} ${what}`)
  return `${formatQuantity(all, 'node')}: ${counts.join('; ')}`
}

function formatFailure(group: CompileFailureGroup, outcome: string, length: TextLength): readonly string[] {
  const { nodes, message, hint } = group
  const lines = `${message} ${formatFaultLocation(group)}`.trimEnd().split('\n')
  return [
    `! Catalog compilation ${outcome} on ${formatQuantity(nodes.length, 'node')}: ${formatNodeNames(nodes, getNameLimit(length))}`,
    ...[...lines, ...(hint === undefined ? [] : [hint])].map((line) => `!   ${line}`),
  ]
}

function formatFault(group: FaultGroup, length: TextLength): readonly string[] {
  const { nodes, severity } = group
  const sign = severity === 'error' ? '!' : '?'
  return [
    `${sign} ${formatQuantity(nodes.length, 'node')}: ${formatNodeNames(nodes, getNameLimit(length))}: ${formatFaultKind(group)}`,
    ...formatCatalogFault(group)
      .split('\n')
      .map((line) => `${sign}   ${line}`),
  ]
}

function formatChanges({ changed }: Impact, length: TextLength): readonly string[] {
  const shown = length === 'full' ? changed : changed.slice(0, mostGroups)
  const more = changed.slice(shown.length)
  const nodes = more.reduce((sum, group) => sum + group.nodes.length, 0)
  return [
    ...shown.flatMap((group) => [
      `~ ${formatQuantity(group.nodes.length, 'node')}: ${formatNodeNames(group.nodes, getNameLimit(length))} (${formatChangeCounts(group.change.counts)})`,
      ...(length === 'full'
        ? formatChange(group.change, 'plain').map((line) => `    ${line}`)
        : formatShortChange(group.change)),
    ]),
    ...(more.length > 0 ? [`~ ${formatQuantity(nodes, 'node')} more, in ${more.length} other ways`] : []),
  ]
}

function formatShortChange(change: NodeChange): readonly string[] {
  const rows = listChangeRows(change)
  const shown = rows.slice(0, mostResources).map(({ sign, resource, parameters }) => {
    const what = parameters.length > 0 ? `: ${parameters.join(', ')}` : ''
    return `    ${sign} ${resource}${what}`
  })
  const { added, removed, changed } = change.counts
  const more = added + removed + changed - shown.length
  return [...shown, ...(more > 0 ? [`    … ${more} more`] : [])]
}

function formatUncheckedNodes({ unchecked }: Impact, length: TextLength): readonly string[] {
  return unchecked.length > 0 ? [`? Not checked: ${formatNodeNames(unchecked, getNameLimit(length))}`] : []
}

function getNameLimit(length: TextLength): number {
  return length === 'full' ? Number.POSITIVE_INFINITY : mostNames
}
