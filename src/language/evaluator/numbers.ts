import { createDiagnostic, type Issue } from '../../base/issue.ts'
import type { AnyNode } from '../syntax/tree/nodes.ts'
import { Float } from '../values/float.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'

/** Operands of arithmetic. */
export type Numeric = number | bigint | Float | Timestamp | Timespan

const minimum = -(2n ** 63n)
const maximum = 2n ** 63n - 1n

const numberPattern =
  /^\s*(?:([+-])\s*)?(?:(0[xX][0-9A-Fa-f]+)|(0[0-7]+)|((?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*$/

/** Parses a string as a number literal; `undefined` if the string is not a number. Puppet: Utils.to_n. */
export function parseNumericText(text: string): number | bigint | Float | undefined {
  const match = numberPattern.exec(text)
  if (!match) return undefined
  const [, sign, hex, octal, decimal] = match
  const negative = sign === '-'
  if (decimal !== undefined && /[.eE]/.test(decimal)) return new Float((negative ? -1 : 1) * Number(decimal))
  const magnitude = BigInt(hex ?? (octal === undefined ? decimal! : `0o${octal.slice(1)}`))
  return narrowInteger(negative ? -magnitude : magnitude)
}

/** Converts a bigint to a number if the number is exact. */
function narrowInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Returns a 64-bit Integer. Throws NUMERIC_OVERFLOW for a larger value. */
export function requireInteger64(value: bigint, node: AnyNode): number | bigint {
  if (value < minimum || value > maximum) failAtSpan(node.span, evaluatorIssues.NUMERIC_OVERFLOW, { node, value })
  return narrowInteger(value)
}

/**
 * Returns a number. Converts a numeric string and reports the conversion according to the setting `strict`. Throws
 * NOT_NUMERIC for other values.
 */
export function toNumeric(value: Value, node: AnyNode, context: EvaluationContext): Numeric {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return value
  if (value instanceof Timespan || value instanceof Timestamp) return value
  const number = typeof value === 'string' ? parseNumericText(value) : undefined
  if (number === undefined) return failAtSpan(node.span, evaluatorIssues.NOT_NUMERIC, { value })
  const after = number instanceof Float ? number.toString() : String(number)
  reportByStrictness(evaluatorIssues.NUMERIC_COERCION, { before: value as string, after }, node, context)
  return number
}

/** Reports an issue with the severity of the setting `strict`. */
function reportByStrictness<Arguments>(
  issue: Issue<Arguments>,
  a: Arguments,
  node: AnyNode,
  { host }: EvaluationContext,
): void {
  if (host.strict === 'error') failAtSpan(node.span, issue, a)
  if (host.strict === 'warning') host.warn(createDiagnostic(issue, a, node.span, 'warning'))
}
