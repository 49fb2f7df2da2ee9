import { formatRubyRegexp } from '../../ruby-semantics/regexp/regexp-text.ts'
import type { Expression } from '../tree/nodes.ts'

/** A literal key: an identity, for finding duplicates, and a text, for messages. */
export interface LiteralKey {
  readonly id: string
  readonly text: string
}

/** Returns the key of a hash entry or case option if the key is a literal. */
export function toLiteralKey(node: Expression): LiteralKey | undefined {
  switch (node.kind) {
    case 'LiteralString':
    case 'QualifiedName':
    case 'RenderString':
      return { id: JSON.stringify(node.value), text: node.value }
    case 'LiteralInteger':
      return { id: `i${node.value}`, text: String(node.value) }
    case 'LiteralFloat':
      return { id: `f${node.value}`, text: String(node.value) }
    case 'LiteralBoolean':
      return { id: String(node.value), text: String(node.value) }
    case 'LiteralUndef':
      return { id: 'undef', text: '' }
    case 'LiteralDefault':
      return { id: 'default', text: 'default' }
    case 'LiteralRegexp':
      return { id: `/${node.pattern}/`, text: formatRubyRegexp(node.pattern) }
    case 'ConcatenatedString': {
      const only = node.segments.length === 1 ? node.segments[0]! : undefined
      return only?.kind === 'LiteralString' ? toLiteralKey(only) : undefined
    }
    case 'LiteralList':
      return toCompoundKey('[', ']', node.values.map(toLiteralKey))
    case 'LiteralHash':
      return toCompoundKey(
        '{',
        '}',
        node.entries.flatMap(({ key, value }) => [toLiteralKey(key), toLiteralKey(value)]),
      )
    default:
      return undefined
  }
}

function toCompoundKey(open: string, close: string, keys: readonly (LiteralKey | undefined)[]): LiteralKey | undefined {
  const known = keys.filter((each) => each !== undefined)
  if (known.length < keys.length) return undefined
  const joinKeys = (pick: (key: LiteralKey) => string) => open + known.map(pick).join(', ') + close
  return { id: joinKeys(({ id }) => id), text: joinKeys(({ id, text }) => (id.startsWith('"') ? id : text)) }
}
