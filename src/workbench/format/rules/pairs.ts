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

/** Wider keys are not aligned, so that the output cannot grow beyond all bounds. */
const maxAlignedKeyWidth = 200

/** Prints the items of a list, with aligned arrows for the case that the list is broken. */
export function alignPairs(items: readonly (Document | Pair)[]): readonly Document[] {
  const widest = findWidest(items.map((item) => (isPair(item) ? measureKey(item) : 0)))
  return items.map((item) => {
    if (!isPair(item)) return item
    const width = measureKey(item)
    const padding = width === 0 ? '' : ' '.repeat(widest - width)
    return concat([item.key, ifBroken(padding), ' ', item.arrow, ' ', item.value])
  })
}

/** Width of a key that takes part in the alignment; 0 for other keys. */
function measureKey({ key }: Pair): number {
  const width = getWidth(key)
  return width <= maxAlignedKeyWidth && isSingleLine(key) ? width : 0
}

/** The greatest of the widths; 0 if there are none. */
export function findWidest(widths: readonly number[]): number {
  let widest = 0
  for (const width of widths) if (width > widest) widest = width
  return widest
}
