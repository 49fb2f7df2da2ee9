import { Token } from '../../../tokens/token.ts'
import type { TokenList } from '../../../tokens/token-list.ts'

/** True for one space. */
export function isSingleSpace({ type, value }: Token): boolean {
  return type === 'WHITESPACE' && value === ' '
}

/** True for space within a line and line breaks. */
export function isWhitespace({ type }: Token): boolean {
  return type === 'WHITESPACE' || type === 'INDENT' || type === 'NEWLINE'
}

/** The next token that is not white space. */
export function findSolidAfter({ next }: Token): Token | undefined {
  let token = next
  while (token && isWhitespace(token)) token = token.next
  return token
}

/** The nearest token before a token that is not white space. */
export function findSolidBefore({ previous }: Token): Token | undefined {
  let token = previous
  while (token && isWhitespace(token)) token = token.previous
  return token
}

/** Replaces space by one space, or inserts one before another token. */
export function setSingleSpace(token: Token, list: TokenList): boolean {
  if (token.type === 'WHITESPACE') token.value = ' '
  else insertSpace(token, list)
  return true
}

/** Inserts one space before a token. */
export function insertSpace(token: Token, list: TokenList): void {
  list.insertBefore(new Token('WHITESPACE', ' '), token)
}

/** Removes the white space between two tokens. */
export function removeSpaceBetween(start: Token, end: Token, list: TokenList): void {
  for (let token = start.next; token && token !== end; token = token.next) list.remove(token)
}

/** True if a line break is between two tokens. */
export function hasLineBreakBetween(start: Token, end: Token): boolean {
  for (let token = start.next; token && token !== end; token = token.next) if (token.type === 'NEWLINE') return true
  return false
}

/** True for a token that may directly follow a closing bracket or brace. */
export function mayFollowBracket({ type }: Token): boolean {
  switch (type) {
    case 'RBRACK':
    case 'RPAREN':
    case 'SEMIC':
    case 'COMMA':
    case 'COLON':
    case 'DOT':
    case 'NEWLINE':
    case 'DQMID':
    case 'DQPOST':
    case 'LBRACK':
    case 'HEREDOC_MID':
    case 'HEREDOC_POST':
      return true
    default:
      return false
  }
}

/** Removes the space after a closing bracket. False if code follows that needs it. */
export function removeSpaceAfterBracket(start: Token, list: TokenList): boolean {
  for (let token: Token | undefined = start; token; token = token.next) {
    if (['RBRACE', 'RBRACK', 'RPAREN', 'COMMA', 'NEWLINE'].includes(token.type)) return true
    if (token.type !== 'WHITESPACE') return false
    list.remove(token)
  }
  return true
}
