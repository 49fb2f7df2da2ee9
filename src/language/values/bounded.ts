import { budgets } from '../../base/budgets/budgets.ts'
import { refuse } from '../ruby-semantics/argument-error.ts'
import { boundedCount, boundedText } from '../ruby-semantics/sizes.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'

// One allocation of hundreds of megabytes that fails ends the whole process; where each is small, what fails is the thread
// that reached its limit of memory. So no single value is large.

const { valuesOutside } = budgets.environment

/** Node keeps longer texts that come from bytes outside of V8's memory, of characters. */
const longestInside = 1_000_000

/** Bytes of values outside of V8's memory that this thread made since `startCounting`. */
let outside = 0

/** Begins anew to count what the limit of a thread's memory does not see: before a compilation. */
export function startCounting(): void {
  outside = 0
}

/** The given bytes, now counted. Throws where one compilation made too many. */
export function counted<Bytes extends { readonly byteLength: number }>(bytes: Bytes): Bytes {
  count(bytes.byteLength)
  return bytes
}

/** The given text, now counted where Node may keep it outside. Throws where one compilation made too many. */
export function countedText(text: string): string {
  if (text.length > longestInside) count(text.length)
  return text
}

function count(bytes: number): void {
  outside += bytes
  if (outside > valuesOutside.bound)
    refuse(`Binaries and long Strings of more than ${valuesOutside.bound} bytes in one compilation`)
}

/** The given value. Throws where it is larger than a value may be. */
export function bounded<Any extends Value>(value: Any): Any {
  if (typeof value === 'string') boundedText(countedText(value))
  else if (Array.isArray(value)) boundedCount(value.length)
  else if (value instanceof Hash) boundedCount(value.size)
  return value
}

/** The items of an iteration as an array. */
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
