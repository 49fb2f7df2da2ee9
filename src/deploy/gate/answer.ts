import { list, optionalText, record, text } from '../../base/json/wire.ts'
import { isHarmful } from '../impact/faulty-nodes.ts'
import { impactJson } from '../impact/write/json.ts'
import type { GateFinding } from './gate.ts'
import { gateLines, gateRefusal } from './words.ts'

/** The decision of the gate, for the pusher. */
export interface GateAnswer {
  readonly lines: readonly string[]
  /** Reason of a rejection; `undefined` for an accepted push. */
  readonly refusal: string | undefined
  /** `undefined` if no node was tested. */
  readonly gate: 'passed' | 'warned' | 'refused' | undefined
  /** A JSON text for each branch. */
  readonly impacts: readonly string[]
}

/** Converts findings to a decision. */
export function answerOf(findings: readonly GateFinding[]): GateAnswer {
  const refusal = gateRefusal(findings)
  const tried = findings.flatMap(({ impact }) => impact ?? [])
  const breaks = tried.some(isHarmful)
  const word = refusal !== undefined ? 'refused' : breaks ? 'warned' : 'passed'
  return {
    lines: findings.flatMap(gateLines),
    refusal,
    gate: tried.length === 0 ? undefined : word,
    impacts: findings.map(({ ref, mode, isRefused, untried, impact }) => {
      const head = JSON.stringify({ ref, gate: mode, refused: isRefused, not_tried: untried })
      return `${head.slice(0, -1)},"impact":${impact ? impactJson(impact).trimEnd() : null}}`
    }),
  }
}

const words = ['passed', 'warned', 'refused'] as const

/** Parses the decision in the response of a server. Throws WIRE_SHAPE. */
export function readAnswer(answer: unknown): GateAnswer {
  const { lines, refusal, gate, impacts } = record(answer, 'the answer of the gate')
  return {
    lines: list(lines, 'its lines').map((each) => text(each, 'a line')),
    refusal: optionalText(refusal, 'its refusal'),
    gate: words.find((each) => each === gate),
    impacts: list(impacts, 'its impacts').map((each) => text(each, 'an impact')),
  }
}
