import { printable } from '../base/printable.ts'
import { faultyNodes, isHarmful } from '../impact/faulty-nodes.ts'
import { impactText } from '../impact/write/text.ts'
import { faultText, numberOf, placeText } from '../impact/write/words.ts'
import type { GateFinding } from './gate.ts'

/** Lines about a branch for who pushes it: errors with place and nodes, changes, the sum, and what follows. */
export function gateLines({ environment, mode, impact, leftOut, isRefused }: GateFinding): readonly string[] {
  const lines = impactText(impact, 'short').trimEnd().split('\n')
  const { unchecked } = impact.counts
  const out: string[] = [`Environment ${environment}, by ${numberOf(total(impact.counts), 'node')}:`, ...lines]
  if (leftOut > 0) out.push(`? ${numberOf(leftOut, 'node')} left out, as gate_nodes says`)
  if (unchecked > 0 || leftOut > 0) out.push('  What was not checked may break; see plumb code impact.')
  if (isRefused) out.push(`Error: ${harm(impact, 'would')}: the push is refused (gate = refuse)`)
  else if (isHarmful(impact)) out.push(`Warning: ${harm(impact, 'will')} (gate = ${mode})`)
  return out.map(printable)
}

/** The reason for which a push is refused, in one line, for the audit log; `undefined` where it is not. */
export function gateRefusal(findings: readonly GateFinding[]): string | undefined {
  const refused = findings.find(({ isRefused }) => isRefused)
  if (!refused) return undefined
  const { environment, impact } = refused
  const [failure, fault] = [impact.broken[0], impact.faults[0]]
  if (failure) {
    const why = `${failure.message} ${placeText(failure)}`.trimEnd()
    return `${numberOf(impact.counts.broken, 'node')} of ${environment} would have no catalog: ${why}`
  }
  return `${numberOf(faultyNodes(impact), 'node')} of ${environment} would have a faulty catalog: ${fault ? faultText(fault) : ''}`
}

/** `2 nodes would have no catalog any more, 1 node would have a faulty one` */
function harm(impact: GateFinding['impact'], verb: 'would' | 'will'): string {
  const { broken } = impact.counts
  const faulty = faultyNodes(impact)
  return [
    ...(broken > 0 ? [`${numberOf(broken, 'node')} ${verb} have no catalog any more`] : []),
    ...(faulty > 0 ? [`${numberOf(faulty, 'node')} ${verb} have a faulty catalog`] : []),
  ].join(', ')
}

function total(counts: GateFinding['impact']['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
