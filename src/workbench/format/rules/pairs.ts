import type { Expression } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, getWidth, ifBroken, indent, isSingleLine } from '../layout/document.ts'
import type { FormatContext } from './context.ts'

/** `key => value`. The arrows of a broken list are aligned. */
export interface Pair {
  readonly key: Document
  /** The arrow with its comments. */
  readonly arrow: Document
  readonly value: Document
}

/** True for a pair, false for a document. */
export function isPair(item: Document | Pair): item is Pair {
  return typeof item === 'object' && 'key' in item
}

/** Prints the key, the arrow and the value of a pair, in this order. */
export function printPair(c: FormatContext, printKey: () => Document, value: Expression): Pair {
  const key = printKey()
  const arrow = c.take('=>', '+>')
  return { key, arrow, value: printValue(c, value) }
}

/** Prints a value after an arrow or `=`; a value after a comment is indented. */
export function printValue(c: FormatContext, value: Expression): Document {
  return c.hasOwnLineComment ? indent(c.print(value)) : c.print(value)
}

/** Prints a pair that is not aligned with other pairs. */
export function printSinglePair({ key, arrow, value }: Pair): Document {
  return concat([key, ' ', arrow, ' ', value])
}

/** Prints the items of a list, with aligned arrows for the case that the list is broken. */
export function alignPairs(items: readonly (Document | Pair)[]): readonly Document[] {
  let widest = 0
  for (const item of items) if (isPair(item) && isSingleLine(item.key)) widest = Math.max(widest, getWidth(item.key))
  return items.map((item) => {
    if (!isPair(item)) return item
    const padding = isSingleLine(item.key) ? ' '.repeat(widest - getWidth(item.key)) : ''
    return concat([item.key, ifBroken(padding), ' ', item.arrow, ' ', item.value])
  })
}
