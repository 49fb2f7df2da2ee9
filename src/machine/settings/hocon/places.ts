import type { Source, Span } from '../../../base/source.ts'
import type { HoconNode } from './nodes.ts'
import { type Includes, parseNodes } from './parse.ts'

/** A key of a HOCON text, as often as it is written: its path from the root, and its place. Items of arrays have no key. */
export interface PlacedKey {
  readonly path: readonly string[]
  readonly span: Span
  /** The value of a simple text, number or flag, as written. */
  readonly text: string | undefined
}

/** All keys of a HOCON text in the order in which they are written, an object's before those inside it. */
export function placedKeys(source: Source, includes: Includes = 'refused'): readonly PlacedKey[] {
  return keysIn(parseNodes(source, includes), [])
}

function keysIn(node: HoconNode, above: readonly string[]): PlacedKey[] {
  switch (node.kind) {
    case 'object':
      return node.fields.flatMap(({ path, value, span }) => {
        const whole = [...above, ...path]
        const text = value.kind === 'scalar' ? value.text : undefined
        return [{ path: whole, span, text }, ...keysIn(value, whole)]
      })
    case 'array':
      return node.items.flatMap((item) => keysIn(item, above))
    case 'concatenation':
      return node.parts.flatMap((part) => keysIn(part, above))
    default:
      return []
  }
}
