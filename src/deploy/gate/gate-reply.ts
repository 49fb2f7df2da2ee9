import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { isHarmfulImpact } from '../impact/faulty-nodes.ts'
import { formatImpactJson } from '../impact/write/json.ts'
import type { GateFinding } from './gate.ts'
import { formatGateOutput, formatGateRejection } from './gate-output.ts'

/** The decision of the gate, for the pusher. */
export interface GateReply {
  readonly lines: readonly string[]
  /** Reason of a rejection; `undefined` for an accepted push. */
  readonly refusal: string | undefined
  /** Result for the audit log; `undefined` if no node was tested. */
  readonly gate: 'passed' | 'warned' | 'refused' | undefined
  /** The impact of each branch on nodes, as JSON text. */
  readonly impacts: readonly string[]
}

/** Converts findings to a decision. */
export function toGateReply(findings: readonly GateFinding[]): GateReply {
  const refusal = formatGateRejection(findings)
  const tried = findings.flatMap(({ impact }) => impact ?? [])
  const breaks = tried.some(isHarmfulImpact)
  const word = refusal !== undefined ? 'refused' : breaks ? 'warned' : 'passed'
  return {
    lines: findings.flatMap(formatGateOutput),
    refusal,
    gate: tried.length === 0 ? undefined : word,
    impacts: findings.map(({ ref, mode, isRefused, untried, impact }) => {
      const head = JSON.stringify({ ref, gate: mode, refused: isRefused, not_tried: untried })
      return `${head.slice(0, -1)},"impact":${impact ? formatImpactJson(impact).trimEnd() : null}}`
    }),
  }
}

const words = ['passed', 'warned', 'refused'] as const

/** Parses the decision in the response of a server. Throws WIRE_SHAPE. */
export function parseGateReply(answer: unknown): GateReply {
  const { lines, refusal, gate, impacts } = checkJsonObject(answer, 'the result of the gate')
  return {
    lines: checkJsonArray(lines, 'lines').map((each) => checkJsonString(each, 'a line')),
    refusal: checkOptionalString(refusal, 'refusal'),
    gate: words.find((each) => each === gate),
    impacts: checkJsonArray(impacts, 'impacts').map((each) => checkJsonString(each, 'an impact')),
  }
}
