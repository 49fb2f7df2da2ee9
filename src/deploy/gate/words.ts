import { counted } from '../../base/text/counted.ts'
import { printable } from '../../base/text/printable.ts'
import { faultyNodes, isHarmful } from '../impact/faulty-nodes.ts'
import type { Impact } from '../impact/result.ts'
import { impactText } from '../impact/write/text.ts'
import { faultText, namesOf, placeText } from '../impact/write/words.ts'
import type { GateFinding } from './gate.ts'
import type { Untried, UntriedReason } from './nodes-to-try.ts'

/** Maximum number of node names in a line. */
const mostNames = 3

/** Output about a branch for the pusher: errors with location and nodes, changes, totals, and the decision. */
export function gateLines(finding: GateFinding): readonly string[] {
  const { environment, mode, impact, untried, isRefused } = finding
  if (!impact)
    return [`${environment}: No node was tested: ${whyNone(finding)}`, ...untriedLines(untried)].map(printable)
  const lines = impactText(impact, 'short').trimEnd().split('\n')
  const tried = total(impact.counts)
  const out: string[] = [
    `Effect of this push on the ${counted(tried, 'node')} of ${environment}:`,
    ...lines,
    ...legend(impact),
    ...untriedLines(untried),
  ]
  const mayBreak = impact.counts.unchecked > 0 || untried.some(({ reason }) => reason === 'gate_nodes')
  if (mayBreak) out.push('  Nodes that were not tested may fail. Run `plumb code impact` to test them.')
  if (isRefused) out.push(`Error: The push is rejected: ${harm(impact, 'would')} (gate = refuse)`)
  else if (isHarmful(impact))
    out.push(`Warning: The push is accepted although ${harm(impact, 'will')} (gate = ${mode})`)
  return out.map(printable)
}

/** The reason of a rejection in one line, for the audit log; `undefined` for an accepted push. */
export function gateRefusal(findings: readonly GateFinding[]): string | undefined {
  const { environment, impact } = findings.find(({ isRefused }) => isRefused) ?? {}
  if (!impact) return undefined
  const [failure, fault] = [impact.broken[0], impact.faults[0]]
  if (failure) {
    const why = `${failure.message} ${placeText(failure)}`.trimEnd()
    return `catalog compilation would fail on ${counted(impact.counts.broken, 'node')} of ${environment}: ${why}`
  }
  return `${counted(faultyNodes(impact), 'node')} of ${environment} would have a faulty catalog: ${fault ? faultText(fault) : ''}`
}

function whyNone({ mode, untried, isFirst }: GateFinding): string {
  if (mode === 'off') return 'gate = off'
  if (isFirst) return 'there is no earlier code to compare with'
  return untried.length > 0 ? 'no node belongs to this environment' : 'no node has requested a catalog yet'
}

/** The legend of the signs in the lines of an impact. */
function legend({ changed }: Impact): readonly string[] {
  return changed.length > 0 ? ['  (+ added, - removed, ~ changed)'] : []
}

const reasons: Readonly<Record<UntriedReason, string>> = {
  gate_nodes: 'the setting gate_nodes limits the number of nodes',
  other_environment: 'requested other environments only',
  inactive: 'deactivated or expired',
  silent: 'no catalog request for longer than node_ttl',
  no_request: 'no catalog request to this server yet',
}

function untriedLines(untried: readonly Untried[]): readonly string[] {
  return untried.map(({ reason, nodes, environments }) => {
    const which = environments.length > 0 ? ` (${namesOf(environments, mostNames)})` : ''
    return `? ${counted(nodes.length, 'node')} not tested, ${reasons[reason]}${which}: ${namesOf(nodes, mostNames)}`
  })
}

/** `catalog compilation would fail on 2 nodes, 1 node would have a faulty catalog` */
function harm(impact: Impact, verb: 'would' | 'will'): string {
  const { broken } = impact.counts
  const faulty = faultyNodes(impact)
  return [
    ...(broken > 0 ? [`catalog compilation ${verb} fail on ${counted(broken, 'node')}`] : []),
    ...(faulty > 0 ? [`${counted(faulty, 'node')} ${verb} have a faulty catalog`] : []),
  ].join(', ')
}

function total(counts: Impact['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
