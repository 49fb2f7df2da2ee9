import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'
import type { TokenIndex } from './token-index.ts'

/** A class, a defined type or a node. Offsets are indexes of tokens. */
export interface Definition {
  readonly type: 'CLASS' | 'DEFINE' | 'NODE'
  readonly keyword: Token
  readonly name: Token
  readonly inherited: Token | undefined
  readonly start: number
  /** The index of the closing brace. */
  readonly end: number
  /** The tokens between the parentheses of the parameters; undefined if there are none. */
  readonly parameters: readonly Token[] | undefined
}

/** Finds the definitions of a type. A keyword whose braces never close defines nothing. */
export function findDefinitions(type: Definition['type'], index: TokenIndex, meter: Meter): Definition[] {
  const definitions: Definition[] = []
  for (const keyword of index.select(type)) {
    const definition = findDefinition(keyword, type, index.tokens, meter)
    if (definition) definitions.push(definition)
  }
  return definitions
}

function findDefinition(
  keyword: Token,
  type: Definition['type'],
  tokens: readonly Token[],
  meter: Meter,
): Definition | undefined {
  const name = keyword.nextCode
  if (!name || name.type === 'LBRACE') return undefined
  const start = keyword.index
  let braces = 0
  let parentheses = 0
  let isInParameters = false
  let inherited: Token | undefined
  for (let end = start + 1; end < tokens.length; end++) {
    const token = tokens[end]!
    switch (token.type) {
      case 'INHERITS':
        inherited = token.nextCode
        break
      case 'LPAREN':
        if (parentheses === 0) isInParameters = true
        parentheses++
        break
      case 'RPAREN':
        if (parentheses === 1) isInParameters = false
        parentheses--
        break
      case 'LBRACE':
        braces++
        break
      case 'RBRACE':
        braces--
        if (braces === 0 && !isInParameters) {
          meter.spend(end - start)
          return { type, keyword, name, inherited, start, end, parameters: findParameters(start, end, tokens) }
        }
        break
    }
  }
  meter.spend(tokens.length - start)
  return undefined
}

/** The tokens between the first parentheses, if they come before the first brace. */
function findParameters(start: number, end: number, tokens: readonly Token[]): readonly Token[] | undefined {
  let depth = 0
  let open: number | undefined
  for (let at = start; at <= end; at++) {
    const { type } = tokens[at]!
    if (type === 'LPAREN') {
      depth++
      if (depth === 1) open = at
    } else if (type === 'RPAREN') {
      depth--
      if (depth === 0) return open === undefined ? undefined : tokens.slice(open + 1, at)
    } else if (type === 'LBRACE' && depth === 0) return undefined
  }
  return undefined
}
