import { budgets } from '../../base/budgets/budgets.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { requireBoundedCount, requireBoundedText } from '../ruby-semantics/size-limits.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'

// A failed allocation of hundreds of megabytes aborts the whole process; small allocations only
// fail in the thread that reaches its memory limit. The size of a single value is therefore
// bounded.

const { valuesOutside } = budgets.environment

/** Maximum length of decoded strings that Node stores inside the V8 heap, in characters. */
const longestInside = 1_000_000

/** Bytes outside the V8 heap that this thread created since `resetByteCount`. */
let outside = 0

/**
 * Resets the count of bytes outside the V8 heap, which the thread's memory limit does not include.
 * Call before each compilation.
 */
export function resetByteCount(): void {
  outside = 0
}

/** Counts bytes outside the V8 heap and returns them. Throws if the compilation exceeds its limit. */
export function countBytes<Bytes extends { readonly byteLength: number }>(bytes: Bytes): Bytes {
  addBytes(bytes.byteLength)
  return bytes
}

/**
 * Counts a text that Node may store outside the V8 heap, and returns it. Throws if the compilation exceeds its limit.
 */
export function countText(text: string): string {
  if (text.length > longestInside) addBytes(text.length)
  return text
}

function addBytes(bytes: number): void {
  outside += bytes
  if (outside > valuesOutside.bound)
    throwArgumentError(`Binaries and long Strings exceed ${valuesOutside.bound} bytes in one compilation`)
}

/** Returns the value. Throws if it is larger than the limit for a value. */
export function requireBounded<Any extends Value>(value: Any): Any {
  if (typeof value === 'string') requireBoundedText(countText(value))
  else if (Array.isArray(value)) requireBoundedCount(value.length)
  else if (value instanceof Hash) requireBoundedCount(value.size)
  return value
}

/** Collects items in an array. Throws if there are more items than the limit for a value. */
export function collectBounded<Item>(items: Iterable<Item>): Item[] {
  const all: Item[] = []
  for (const item of items) {
    all.push(item)
    requireBoundedCount(all.length)
  }
  return all
}

/** Joins texts. Throws if the result is longer than the limit for a value. */
export function joinBounded(texts: Iterable<string>, separator: string): string {
  let joined: string | undefined
  for (const text of texts) joined = requireBoundedText(joined === undefined ? text : joined + separator + text)
  return joined ?? ''
}
