import type { Token, TokenType } from '../tokens/token.ts'

/** The token that closes a block, by the one that opens it. */
export const closers: Partial<Record<TokenType, TokenType>> = { LBRACE: 'RBRACE', LBRACK: 'RBRACK', LPAREN: 'RPAREN' }
const openers: Partial<Record<TokenType, TokenType>> = { RBRACE: 'LBRACE', RBRACK: 'LBRACK', RPAREN: 'LPAREN' }

/** The next token of one of the types after a token, outside blocks that open on the way. */
export function findNext(from: Token, ...types: readonly TokenType[]): Token | undefined {
  return findToken(from, 'next', closers, (token) => types.includes(token.type))
}

/** The nearest token of one of the types before a token, outside blocks that close on the way. */
export function findPrevious(from: Token, ...types: readonly TokenType[]): Token | undefined {
  return findToken(from, 'previous', openers, (token) => types.includes(token.type))
}

/** The next name with a value after a token, outside blocks. */
export function findNextName(from: Token, value: string): Token | undefined {
  return findToken(from, 'next', closers, (token) => token.type === 'NAME' && token.value === value)
}

function findToken(
  from: Token,
  direction: 'next' | 'previous',
  ends: Partial<Record<TokenType, TokenType>>,
  isWanted: (token: Token) => boolean,
): Token | undefined {
  const open: TokenType[] = []
  for (let token = from[direction]; token; token = token[direction]) {
    if (open.length === 0) {
      if (isWanted(token)) return token
    } else if (token.type === open.at(-1)) {
      open.pop()
      continue
    }
    const end = ends[token.type]
    if (end) open.push(end)
  }
  return undefined
}
