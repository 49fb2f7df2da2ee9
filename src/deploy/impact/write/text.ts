import { counted } from '../../../base/text/counted.ts'
import { printableWithTabs } from '../../../base/text/printable.ts'
import type { NodeChange } from '../node-change.ts'
import type { FailureGroup, FaultGroup, Impact } from '../result.ts'
import { changeWords } from './change-words.ts'
import { countsText, exportText, faultText, faultWords, namesOf, placeText, rowsOf, summaryRows } from './words.ts'

/** The length of a text: `short` for the pusher, `full` for all details. */
export type TextLength = 'short' | 'full'

/** Maximum numbers of groups, resources and node names in a short text. */
const mostGroups = 20
const mostResources = 10
const mostNames = 3

/** An impact as text: errors first, then changes, then the totals. */
export function impactText(impact: Impact, length: TextLength): string {
  const lines = [
    ...impact.broken.flatMap((group) => brokenLines(group, 'would fail', length)),
    ...(length === 'full' ? impact.failing.flatMap((group) => brokenLines(group, 'fails as before', length)) : []),
    ...impact.faults.flatMap((group) => faultLines(group, length)),
    ...changeLines(impact, length),
    ...impact.exports.map((each) => `Exported ${each.type}: ${exportText(each, namesIn(length))}`),
    ...uncheckedLines(impact, length),
    summaryText(impact),
  ]
  return `${lines.map(printableWithTabs).join('\n')}\n`
}

/** The totals in one line: `40 nodes: 2 would change; …`. */
export function summaryText(impact: Impact): string {
  const all = Object.values(impact.counts).reduce((sum, count) => sum + count, 0)
  const counts = summaryRows(impact).map(({ what, nodes }) => `${nodes} ${what}`)
  return `${counted(all, 'node')}: ${counts.join('; ')}`
}

function brokenLines(group: FailureGroup, outcome: string, length: TextLength): readonly string[] {
  const { nodes, message, hint } = group
  const lines = `${message} ${placeText(group)}`.trimEnd().split('\n')
  return [
    `! Catalog compilation ${outcome} on ${counted(nodes.length, 'node')}: ${namesOf(nodes, namesIn(length))}`,
    ...[...lines, ...(hint === undefined ? [] : [hint])].map((line) => `!   ${line}`),
  ]
}

function faultLines(group: FaultGroup, length: TextLength): readonly string[] {
  const { nodes, severity } = group
  const sign = severity === 'error' ? '!' : '?'
  return [
    `${sign} ${counted(nodes.length, 'node')}: ${namesOf(nodes, namesIn(length))}: ${faultWords(group)}`,
    ...faultText(group)
      .split('\n')
      .map((line) => `${sign}   ${line}`),
  ]
}

function changeLines({ changed }: Impact, length: TextLength): readonly string[] {
  const shown = length === 'full' ? changed : changed.slice(0, mostGroups)
  const more = changed.slice(shown.length)
  const nodes = more.reduce((sum, group) => sum + group.nodes.length, 0)
  return [
    ...shown.flatMap((group) => [
      `~ ${counted(group.nodes.length, 'node')}: ${namesOf(group.nodes, namesIn(length))} (${countsText(group.change.counts)})`,
      ...(length === 'full'
        ? changeWords(group.change, 'plain').map((line) => `    ${line}`)
        : shortLines(group.change)),
    ]),
    ...(more.length > 0 ? [`~ ${counted(nodes, 'node')} more, in ${more.length} other ways`] : []),
  ]
}

function shortLines(change: NodeChange): readonly string[] {
  const rows = rowsOf(change)
  const shown = rows.slice(0, mostResources).map(({ sign, resource, parameters }) => {
    const what = parameters.length > 0 ? `: ${parameters.join(', ')}` : ''
    return `    ${sign} ${resource}${what}`
  })
  const { added, removed, changed } = change.counts
  const more = added + removed + changed - shown.length
  return [...shown, ...(more > 0 ? [`    … ${more} more`] : [])]
}

function uncheckedLines({ unchecked }: Impact, length: TextLength): readonly string[] {
  return unchecked.length > 0 ? [`? Not checked: ${namesOf(unchecked, namesIn(length))}`] : []
}

function namesIn(length: TextLength): number {
  return length === 'full' ? Number.POSITIVE_INFINITY : mostNames
}
