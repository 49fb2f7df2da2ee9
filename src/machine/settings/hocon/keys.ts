import type { Source, SourceSpan } from '../../../base/source.ts'
import type { HoconNode } from './nodes.ts'
import { type IncludePolicy, parseNodes } from './parse.ts'

/** One occurrence of a key in a HOCON text: its path from the root, and its position. Array items have no key. */
export interface HoconKey {
  readonly path: readonly string[]
  readonly span: SourceSpan
  /** A scalar value in its original notation. */
  readonly text: string | undefined
}

/** All keys of a HOCON text in order; an object's key precedes the keys inside it. */
export function listHoconKeys(source: Source, includes: IncludePolicy = 'refused'): readonly HoconKey[] {
  return collectKeys(parseNodes(source, includes), [])
}

function collectKeys(node: HoconNode, above: readonly string[]): HoconKey[] {
  switch (node.kind) {
    case 'object':
      return node.fields.flatMap(({ path, value, span }) => {
        const whole = [...above, ...path]
        const text = value.kind === 'scalar' ? value.text : undefined
        return [{ path: whole, span, text }, ...collectKeys(value, whole)]
      })
    case 'array':
      return node.items.flatMap((item) => collectKeys(item, above))
    case 'concatenation':
      return node.parts.flatMap((part) => collectKeys(part, above))
    default:
      return []
  }
}
