import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { countFaultyNodes, isHarmfulImpact } from '../impact/faulty-nodes.ts'
import type { Impact } from '../impact/impact-result.ts'
import { formatCatalogFault, formatFaultLocation, formatNodeNames } from '../impact/write/impact-parts.ts'
import { formatImpactText } from '../impact/write/text.ts'
import type { GateFinding } from './gate.ts'
import type { UntestedNodes, UntestedReason } from './node-selection.ts'

/** Maximum number of node names in a line. */
const mostNames = 3

/** Output about a branch for the pusher: errors with location and nodes, changes, totals, and the decision. */
export function formatGateOutput(finding: GateFinding): readonly string[] {
  const { environment, mode, impact, untried, isRefused } = finding
  if (!impact)
    return [`${environment}: No node was tested: ${explainUntestedPush(finding)}`, ...formatUntestedNodes(untried)].map(
      toPrintable,
    )
  const lines = formatImpactText(impact, 'short').trimEnd().split('\n')
  const tried = sumCounts(impact.counts)
  const out: string[] = [
    `Effect of this push on the ${formatQuantity(tried, 'node')} of ${environment}:`,
    ...lines,
    ...formatLegend(impact),
    ...formatUntestedNodes(untried),
  ]
  const mayBreak = impact.counts.unchecked > 0 || untried.some(({ reason }) => reason === 'gate_nodes')
  if (mayBreak) out.push('  Nodes that were not tested may fail. Run `plumb code impact` to test them.')
  if (isRefused) out.push(`Error: The push is rejected: ${formatHarm(impact, 'would')} (gate = refuse)`)
  else if (isHarmfulImpact(impact))
    out.push(`Warning: The push is accepted although ${formatHarm(impact, 'will')} (gate = ${mode})`)
  return out.map(toPrintable)
}

/** The reason of a rejection in one line, for the audit log; `undefined` for an accepted push. */
export function formatGateRejection(findings: readonly GateFinding[]): string | undefined {
  const { environment, impact } = findings.find(({ isRefused }) => isRefused) ?? {}
  if (!impact) return undefined
  const [failure, fault] = [impact.broken[0], impact.faults[0]]
  if (failure) {
    const why = `${failure.message} ${formatFaultLocation(failure)}`.trimEnd()
    return `catalog compilation would fail on ${formatQuantity(impact.counts.broken, 'node')} of ${environment}: ${why}`
  }
  return `${formatQuantity(countFaultyNodes(impact), 'node')} of ${environment} would have a faulty catalog: ${fault ? formatCatalogFault(fault) : ''}`
}

function explainUntestedPush({ mode, untried, isFirst }: GateFinding): string {
  if (mode === 'off') return 'gate = off'
  if (isFirst) return 'there is no earlier commit to compare with'
  return untried.length > 0 ? 'no node belongs to this environment' : 'no node has requested a catalog yet'
}

/** Legend of the signs `+`, `-` and `~` before changed resources, if there are any. */
function formatLegend({ changed }: Impact): readonly string[] {
  return changed.length > 0 ? ['  (+ added, - removed, ~ changed)'] : []
}

const reasons: Readonly<Record<UntestedReason, string>> = {
  gate_nodes: 'the setting gate_nodes limits the number of nodes',
  other_environment: 'requested other environments only',
  inactive: 'deactivated or expired',
  silent: 'no catalog request for longer than node_ttl',
  no_request: 'no catalog request to this server yet',
}

function formatUntestedNodes(untried: readonly UntestedNodes[]): readonly string[] {
  return untried.map(({ reason, nodes, environments }) => {
    const which = environments.length > 0 ? ` (${formatNodeNames(environments, mostNames)})` : ''
    return `? ${formatQuantity(nodes.length, 'node')} not tested, ${reasons[reason]}${which}: ${formatNodeNames(nodes, mostNames)}`
  })
}

/**
 * Describes failures and faults: `catalog compilation would fail on 2 nodes, 1 node would have a
 * faulty catalog`.
 */
function formatHarm(impact: Impact, verb: 'would' | 'will'): string {
  const { broken } = impact.counts
  const faulty = countFaultyNodes(impact)
  return [
    ...(broken > 0 ? [`catalog compilation ${verb} fail on ${formatQuantity(broken, 'node')}`] : []),
    ...(faulty > 0 ? [`${formatQuantity(faulty, 'node')} ${verb} have a faulty catalog`] : []),
  ].join(', ')
}

function sumCounts(counts: Impact['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
