import { budgets } from '../../base/budgets.ts'
import { refuse } from './argument-error.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'

// One allocation of hundreds of megabytes that fails ends the whole process; where each is small, what fails is the thread
// that reached its limit of memory. So no single value is large.

const { valueItems, valueText, valuesOutside } = budgets.environment

/** Node keeps longer texts that come from bytes outside of V8's memory, of characters. */
const longestInside = 1_000_000

/** Bytes of values outside of V8's memory that this thread made since `startCounting`. */
let outside = 0

/** Begins anew to count what the limit of a thread's memory does not see: before a compilation. */
export function startCounting(): void {
  outside = 0
}

/** The same bytes, counted. Throws where one compilation made too many. */
export function counted<Bytes extends { readonly byteLength: number }>(bytes: Bytes): Bytes {
  count(bytes.byteLength)
  return bytes
}

/** The same text, counted where Node may keep it outside. Throws where one compilation made too many. */
export function countedText(text: string): string {
  if (text.length > longestInside) count(text.length)
  return text
}

function count(bytes: number): void {
  outside += bytes
  if (outside > valuesOutside.bound)
    refuse(`Binaries and long Strings of more than ${valuesOutside.bound} bytes in one compilation`)
}

/** The same value. Throws where it is larger than a value may be. */
export function bounded<Any extends Value>(value: Any): Any {
  if (typeof value === 'string') boundedText(countedText(value))
  else if (Array.isArray(value)) boundedCount(value.length)
  else if (value instanceof Hash) boundedCount(value.size)
  return value
}

/** The same text. Throws where it is longer than a value may be. */
export function boundedText(text: string): string {
  if (text.length > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return text
}

/** The same number of items. Throws where a value has not so many. */
export function boundedCount(count: number): number {
  if (count > valueItems.bound) refuse(`Array or Hash of more than ${valueItems.bound} elements`)
  return count
}

/** The same width or precision of a format. Throws where what it makes is longer than a value may be. */
export function boundedWidth(width: number): number {
  if (width > valueText.bound) refuse(`String of more than ${valueText.bound} characters`)
  return width
}

/** What an iteration gives, as an array. */
export function collected<Item>(items: Iterable<Item>): Item[] {
  const all: Item[] = []
  for (const item of items) {
    all.push(item)
    boundedCount(all.length)
  }
  return all
}

/** Texts with a separator between them. */
export function boundedJoin(texts: Iterable<string>, separator: string): string {
  let joined: string | undefined
  for (const text of texts) joined = boundedText(joined === undefined ? text : joined + separator + text)
  return joined ?? ''
}
