import { printable } from '../base/printable.ts'
import { impactText } from '../impact/write/text.ts'
import { numberOf, placeText } from '../impact/write/words.ts'
import type { GateFinding } from './gate.ts'

/** Lines about a branch for who pushes it: errors with place and nodes, changes, the sum, and what follows. */
export function gateLines({ environment, mode, impact, leftOut, isRefused }: GateFinding): readonly string[] {
  const lines = impactText(impact, 'short').trimEnd().split('\n')
  const { broken, unchecked } = impact.counts
  const out: string[] = [`Environment ${environment}, by ${numberOf(total(impact.counts), 'node')}:`, ...lines]
  if (leftOut > 0) out.push(`? ${numberOf(leftOut, 'node')} left out, as gate_nodes says`)
  if (unchecked > 0 || leftOut > 0) out.push('  What was not checked may break; see plumb code impact.')
  if (isRefused)
    out.push(`Error: ${numberOf(broken, 'node')} would have no catalog any more: the push is refused (gate = refuse)`)
  else if (broken > 0) out.push(`Warning: ${numberOf(broken, 'node')} will have no catalog any more (gate = ${mode})`)
  return out.map(printable)
}

/** The reason for which a push is refused, in one line, for the audit log; `undefined` where it is not. */
export function gateRefusal(findings: readonly GateFinding[]): string | undefined {
  const refused = findings.find(({ isRefused }) => isRefused)
  if (!refused) return undefined
  const { broken } = refused.impact
  const [first] = broken
  const why = first && `${first.message} ${placeText(first)}`.trimEnd()
  return `${numberOf(refused.impact.counts.broken, 'node')} of ${refused.environment} would have no catalog: ${why ?? ''}`
}

function total(counts: GateFinding['impact']['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
