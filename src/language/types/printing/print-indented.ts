import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { toInitHash } from '../objects/object-hash.ts'
import { getObjectTypeName, printValue } from './print.ts'

const width = 2

/**
 * Prints a value as code on several lines. `level` is the indentation level of the first line. Puppet:
 * type_formatter.rb.
 */
export function printIndented(value: Value, level: number): string {
  if (value instanceof ObjectValue) return `${getObjectTypeName(value)}(${printIndented(toInitHash(value), level)})`
  if (value instanceof Hash) {
    const inner = level + 1
    const entries = Array.from(value, ([key, each]) => `${printIndented(key, inner)} => ${printIndented(each, inner)}`)
    return formatLines('{', entries, '}', level)
  }
  if (!Array.isArray(value) || isShort(value, level))
    return Array.isArray(value) ? `[${value.map((each) => printIndented(each, level)).join(', ')}]` : printValue(value)
  const elements = value.map((each) => printIndented(each, level + 1))
  return formatLines('[', elements, ']', level)
}

function formatLines(open: string, items: readonly string[], close: string, level: number): string {
  const formatLineBreak = (depth: number) => `\n${' '.repeat(depth * width)}`
  return `${open}${items.map((item) => formatLineBreak(level + 1) + item).join(',')}${formatLineBreak(level)}${close}`
}

/** True if a list fits on one line and contains no non-empty collections or objects. */
function isShort(values: readonly Value[], level: number): boolean {
  const lengths = values.map(measureValue)
  return values.length === 0 || 100 - level * width > lengths.reduce((sum, length) => sum + length, 0)
}

function measureValue(value: Value): number {
  if (typeof value === 'string') return value.length + 2
  if (value === undefined) return 'nil'.length
  if (typeof value !== 'object' || value instanceof Float) return String(value).length
  const isEmpty = Array.isArray(value) ? value.length === 0 : value instanceof Hash && value.size === 0
  return isEmpty ? 2 : 1000
}
