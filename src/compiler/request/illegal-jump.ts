import type { PuppetError } from '../../base/issue.ts'
import { createDiagnostic } from '../../base/issue.ts'
import { getStartLine } from '../../base/source.ts'
import { BreakSignal, NextSignal, ReturnSignal } from '../../language/evaluator/control-flow.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { issues } from './issues.ts'

const jumps = [
  [BreakSignal, 'break'],
  [NextSignal, 'next'],
  [ReturnSignal, 'return'],
] as const

/** Converts an uncaught `break`, `next` or `return` to an error; returns `undefined` for other thrown values. */
export function toIllegalJumpError(thrown: unknown): PuppetError | undefined {
  const jump = jumps.find(([kind]) => thrown instanceof kind)
  if (!jump) return undefined
  const { span } = thrown as BreakSignal
  const place = `(file: ${span?.source.file ?? 'unknown'}, line: ${span && getStartLine(span)})`
  return new VerbatimError(createDiagnostic(issues.ILLEGAL_JUMP, { name: jump[1], place }))
}
