import { throwIssue } from '../../base/issue.ts'
import type { Arithmetic } from '../syntax/tree/nodes.ts'
import { getLabelWithArticle } from '../types/printing/label.ts'
import { Binary } from '../values/binary.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { SemVer } from '../values/semver.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import { toWholeSeconds } from '../values/time-seconds.ts'
import { Uri } from '../values/uri.ts'
import type { Value } from '../values/value.ts'
import { requireBounded } from '../values/value-size-limits.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { type Numeric, requireInteger64, toNumeric } from './numbers.ts'

type Operator = Arithmetic['operator']

/**
 * Rules of `+ - * / % << >>` on 64-bit numbers and numeric strings, times, arrays, hashes, URIs and
 * Binaries.
 */
export const arithmetic: EvaluationRules<'Arithmetic' | 'UnaryMinus'> = {
  Arithmetic(node, context) {
    const left = context.evaluate(node.left)
    const right = context.evaluate(node.right)
    if (typeof left === 'number' && typeof right === 'number') {
      const result = computeExactly(node.operator, left, right)
      if (result !== undefined && Number.isSafeInteger(result)) return result
    }
    return requireBounded(combineCollections(node, left, right)) ?? computeNumbers(node, left, right, context)
  },

  UnaryMinus(node, context) {
    const operand = context.evaluate(node.expression)
    if (operand instanceof SemVer) throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: notAFloat })
    const value = toNumeric(operand, node, context)
    if (value instanceof Float) return new Float(-value.value)
    if (value instanceof Timespan) return new Timespan(-value.nanoseconds)
    if (value instanceof Timestamp)
      return failAtSpan(node.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, {
        operator: '-',
        what: getLabelWithArticle(value),
      })
    return requireInteger64(-BigInt(value), node)
  },
}

/**
 * Computes a result with ordinary numbers; the caller checks that it is a safe integer. `undefined` for shifts and
 * division by zero.
 */
function computeExactly(operator: Operator, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? undefined : Math.floor(left / right)
    case '%':
      return right === 0 ? undefined : left - right * Math.floor(left / right)
    default:
      return undefined
  }
}

/** Evaluates `+`, `-` and `<<` on arrays and hashes, and `+` on URIs and Binaries. */
function combineCollections({ operator, left: blamed }: Arithmetic, left: Value, right: Value): Value {
  if (left instanceof Uri || left instanceof Binary) return operator === '+' ? appendValue(left, right) : undefined
  if (!(Array.isArray(left) || left instanceof Hash)) return undefined
  if (operator === '+') return concatenateCollections(left, right)
  if (operator === '-')
    return left instanceof Hash ? left.without(listKeys(right)) : removeElements(left, toElements(right))
  if (operator !== '<<') return undefined
  if (left instanceof Hash)
    failAtSpan(blamed.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, { operator, what: getLabelWithArticle(left) })
  return [...left, right]
}

function concatenateCollections(left: readonly Value[] | Hash, right: Value): Value {
  if (!(left instanceof Hash)) return [...left, ...toElements(right)]
  if (right instanceof Hash) return left.merge(right)
  if (!Array.isArray(right))
    return throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'Can only append Array or Hash to a Hash' })
  const pairs = right.every((each) => Array.isArray(each)) ? right : toPairs(right)
  return left.merge(Hash.of(pairs.map(([key, value]) => [key, value] as const)))
}

function toPairs(list: readonly Value[]): [Value, Value][] {
  if (list.length % 2 === 1) throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'odd number of arguments for Hash' })
  return Array.from({ length: list.length / 2 }, (_, index) => [list[index * 2], list[index * 2 + 1]])
}

function toElements(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value instanceof Hash) return [...value].map(([key, each]) => [key, each])
  return [value]
}

function listKeys(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  return value instanceof Hash ? value.keys() : [value]
}

function removeElements(list: readonly Value[], gone: readonly Value[]): Value[] {
  const keys = Hash.of(gone.map((each) => [each, true]))
  return list.filter((each) => !keys.has(each))
}

function appendValue(left: Uri | Binary, right: Value): Value {
  if (left instanceof Binary) {
    if (!(right instanceof Binary))
      throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'Can only append Binary to a Binary' })
    return new Binary(Buffer.concat([left.bytes, right.bytes]))
  }
  if (typeof right !== 'string' && !(right instanceof Uri))
    throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'An URI can only be merged with an URI or String' })
  return left.merge(typeof right === 'string' ? Uri.parse(right) : right)
}

function computeNumbers(node: Arithmetic, leftValue: Value, rightValue: Value, context: EvaluationContext): Value {
  const left = leftValue instanceof SemVer ? leftValue : toNumeric(leftValue, node.left, context)
  const right = rightValue instanceof SemVer ? rightValue : toNumeric(rightValue, node.right, context)
  if (left instanceof SemVer || right instanceof SemVer) return rejectVersion(node, left, right)
  if (isTime(left) || isTime(right)) return computeTimes(node, left, right)
  if (left instanceof Float || right instanceof Float) return computeFloats(node, left as Float, right as Float)
  return requireInteger64(computeIntegers(node, BigInt(left), BigInt(right)), node)
}

function computeFloats(node: Arithmetic, left: Float | number | bigint, right: Float | number | bigint): Value {
  const { operator } = node
  if (operator === '<<' || operator === '>>') {
    if (left instanceof Float)
      failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, { operator, what: getLabelWithArticle(left) })
    return requireInteger64(
      computeIntegers(node, BigInt(left), BigInt(Math.trunc(right instanceof Float ? right.value : 0))),
      node,
    )
  }
  if (operator === '%') {
    if (left instanceof Float)
      failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, { operator, what: getLabelWithArticle(left) })
    failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE_WHEN, { operator, left, right })
  }
  const a = toNumber(left)
  const b = toNumber(right)
  const result = operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b
  if (!Number.isFinite(result) && !Number.isNaN(result))
    failAtSpan(node.left.span, evaluatorIssues.RESULT_IS_INFINITY, { operator })
  return new Float(result)
}

/** Division and remainder round down, as in Ruby. */
function computeIntegers(node: Arithmetic, left: bigint, right: bigint): bigint {
  switch (node.operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '<<':
      return shiftInteger(left, right)
    case '>>':
      return shiftInteger(left, -right)
  }
  if (right === 0n) failAtSpan(node.right.span, evaluatorIssues.DIV_BY_ZERO, {})
  const remainder = ((left % right) + right) % right
  return node.operator === '%' ? remainder : (left - remainder) / right
}

/** Shifts a value. The shift is capped, because a shift by thousands of bits always gives zero or an overflow. */
function shiftInteger(value: bigint, places: bigint): bigint {
  const capped = places > 4096n ? 4096n : places < -4096n ? -4096n : places
  return capped >= 0n ? value << capped : value >> -capped
}

/** Throws Ruby's error for arithmetic with a version, which Puppet treats as a number until it calculates. */
function rejectVersion({ operator, left: blamed }: Arithmetic, left: Numeric | SemVer, right: Numeric | SemVer): never {
  if (left instanceof SemVer && (isTime(right) || (operator === '%' && right instanceof Float))) {
    const changesPlaces = operator === '+' || (operator === '*' && right instanceof Timespan)
    if (changesPlaces) rejectVersionWithTime(operator, right as Timestamp | Timespan)
    if (operator !== '-' || right instanceof Timestamp)
      failAtSpan(blamed.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE_WHEN, { operator, left, right })
  }
  if (isTime(left) && !(operator === '<<' || operator === '>>')) rejectVersionWithTime(operator, left)
  const fails = left instanceof SemVer || operator === '<<' || operator === '>>' || isTime(left)
  if (fails || (operator === '%' && left instanceof Float))
    failAtSpan(blamed.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, { operator, what: getLabelWithArticle(left) })
  return throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: notAFloat })
}

const notAFloat = "can't convert SemanticPuppet::Version into Float"

/**
 * Throws Puppet's error for arithmetic with a time and a version. Returns if the time's Ruby class lacks the operator.
 */
function rejectVersionWithTime(operator: Operator, time: Timestamp | Timespan): void {
  const kind = time instanceof Timestamp ? 'Timestamp' : 'Timespan'
  if (operator === '+') throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: `A Version cannot be added to a ${kind}` })
  if (operator === '-')
    throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: `A Version cannot be subtracted from a ${kind}` })
  if (kind === 'Timestamp') return
  // Puppet's message names `Timestamp` here (time/timespan.rb).
  if (operator === '*')
    throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'A Timestamp cannot be multiplied by a Version' })
  if (operator === '/')
    throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'A Timespan cannot be divided by a Version' })
  throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: 'Can not do modulus on a Timespan using a a Version' })
}

/** Remainder of the whole seconds of a duration. */
function computeSecondsModulo(node: Arithmetic, left: Timespan, right: Float | number | bigint): Value {
  if (right instanceof Float)
    return failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE_WHEN, { operator: '%', left, right })
  return requireInteger64(computeIntegers(node, toWholeSeconds(left), BigInt(right)), node)
}

/** Rejects operations that Timestamp and Timespan do not support. */
function rejectTimeOperation({ operator, left: blamed }: Arithmetic, left: Timestamp | Timespan, right: Numeric): void {
  const shift = operator === '<<' || operator === '>>'
  if (shift || (left instanceof Timestamp && (operator === '*' || operator === '/' || operator === '%')))
    failAtSpan(blamed.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, { operator, what: getLabelWithArticle(left) })
  const detail =
    operator === '+' && left instanceof Timestamp && right instanceof Timestamp
      ? 'A Timestamp cannot be added to a Timestamp'
      : operator === '*' && isTime(right)
        ? 'A Timestamp cannot be multiplied by a Timespan'
        : operator === '%' && isTime(right)
          ? 'Can not do modulus on a Timespan using a a Timespan'
          : undefined
  if (detail !== undefined) throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail })
}

function computeTimes(node: Arithmetic, left: Numeric, right: Numeric): Value {
  const { operator } = node
  if (!isTime(left)) {
    if (operator === '+' || (operator === '*' && right instanceof Timespan)) return computeTimes(node, right, left)
    if (operator === '-' && right instanceof Timespan) return new Timespan(toNanoseconds(left) - right.nanoseconds)
    return failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE_WHEN, { operator, left, right })
  }
  rejectTimeOperation(node, left, right)
  if (operator === '+' || operator === '-') {
    const sign = operator === '+' ? 1n : -1n
    if (left instanceof Timestamp && right instanceof Timestamp && operator === '-')
      return new Timespan(left.nanoseconds - right.nanoseconds)
    const result = left.nanoseconds + sign * toNanoseconds(right)
    if (left instanceof Timestamp && !(right instanceof Timestamp)) return new Timestamp(result)
    if (left instanceof Timespan && right instanceof Timestamp && operator === '+') return new Timestamp(result)
    if (left instanceof Timespan && !(right instanceof Timestamp)) return new Timespan(result)
  } else if (operator === '%' && left instanceof Timespan && !isTime(right)) {
    return computeSecondsModulo(node, left, right)
  } else if (left instanceof Timespan && !isTime(right)) {
    if (operator === '/' && toNumber(right) === 0) failAtSpan(node.right.span, evaluatorIssues.DIV_BY_ZERO, {})
    const scaled = scaleTimespan(operator, left.nanoseconds, toNumber(right))
    if (scaled !== undefined) return new Timespan(scaled)
  } else if (left instanceof Timespan && right instanceof Timespan && operator === '/') {
    const quotient = Number(left.nanoseconds) / Number(right.nanoseconds)
    if (!Number.isFinite(quotient)) failAtSpan(node.left.span, evaluatorIssues.RESULT_IS_INFINITY, { operator })
    return new Float(quotient)
  }
  return failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE_WHEN, { operator, left, right })
}

function scaleTimespan(operator: Operator, time: bigint, by: number): bigint | undefined {
  if (operator === '*') return Number.isInteger(by) ? time * BigInt(by) : BigInt(Math.trunc(Number(time) * by))
  if (operator === '/') return BigInt(Math.trunc(Number(time) / by))
  return undefined
}

function isTime(value: unknown): value is Timestamp | Timespan {
  return value instanceof Timestamp || value instanceof Timespan
}

function toNanoseconds(value: Numeric): bigint {
  if (isTime(value)) return value.nanoseconds
  if (value instanceof Float) return BigInt(Math.trunc(value.value * 1e9))
  return BigInt(value) * 1_000_000_000n
}

function toNumber(value: Float | number | bigint): number {
  return value instanceof Float ? value.value : Number(value)
}
