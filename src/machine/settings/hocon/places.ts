import type { Source, Span } from '../../../base/source.ts'
import type { HoconNode } from './nodes.ts'
import { type Includes, parseNodes } from './parse.ts'

/** One occurrence of a key in a HOCON text: its path from the root, and its position. Array items have no key. */
export interface PlacedKey {
  readonly path: readonly string[]
  readonly span: Span
  /** A scalar value in its original notation. */
  readonly text: string | undefined
}

/** All keys of a HOCON text in order; an object's key precedes the keys inside it. */
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
