import type { Token } from '../../../tokens/token.ts'
import type { TokenList } from '../../../tokens/token-list.ts'
import type { Check } from '../../check.ts'
import { findWrongFollower, setSpaceBefore } from './braces.ts'
import { findSolidBefore, isSingleSpace, isWhitespace, removeSpaceAfterBracket } from './spaces.ts'

/** `manifest_whitespace_closing_bracket_before` */
export const spaceBeforeClosingBracket: Check = {
  name: 'manifest_whitespace_closing_bracket_before',
  doc: 'No space, or one line break, is before a closing bracket.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be no whitespace or a single newline before a closing bracket'
    for (const bracket of manifest.select('RBRACK')) {
      const { previous } = bracket
      const solid = findSolidBefore(bracket)
      if (!previous || !solid?.next || !isWhitespace(previous)) continue
      const distance = bracket.index - solid.index
      if ((previous.type === 'INDENT' && distance === 3) || (previous.type === 'NEWLINE' && distance === 2)) continue
      const at = solid.next
      report({ severity: 'error', message, at, fix: (list) => reduceSpaceBeforeBracket(at, list) })
    }
  },
}

function reduceSpaceBeforeBracket(start: Token, list: TokenList): boolean {
  if (start.type === 'WHITESPACE') {
    list.remove(start)
    return true
  }
  for (let token = start.next; token && token.type !== 'RBRACK'; token = token.next) {
    if (token.type === 'INDENT' && token.next?.type === 'RBRACK') break
    list.remove(token)
  }
  return true
}

/** `manifest_whitespace_closing_bracket_after` */
export const spaceAfterClosingBracket: Check = {
  name: 'manifest_whitespace_closing_bracket_after',
  doc: 'No space is between a closing bracket and punctuation.',
  isOptional: true,
  check(manifest, report) {
    const message =
      'there should be either a bracket, punctuation mark, closing quote or a newline after a closing bracket, or whitespace and none of the aforementioned'
    for (const bracket of manifest.select('RBRACK')) {
      const at = findWrongFollower(bracket)
      if (at) report({ severity: 'error', message, at, fix: (list) => removeSpaceAfterBracket(at, list) })
    }
  },
}

/** `manifest_whitespace_opening_bracket_before` */
export const spaceBeforeOpeningBracket: Check = {
  name: 'manifest_whitespace_opening_bracket_before',
  doc: 'One space is before an opening bracket.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space before an opening bracket'
    for (const bracket of manifest.select('LBRACK')) {
      const { previous } = bracket
      const solid = findSolidBefore(bracket)
      if (!previous || !solid || isWellSpaced(bracket, previous, solid)) continue
      const fix = (list: TokenList) => setSpaceBefore(bracket, list, ['LPAREN', 'LBRACK', 'LBRACE'])
      report({ severity: 'error', message, at: bracket, fix })
    }
  },
}

function isWellSpaced(bracket: Token, previous: Token, solid: Token): boolean {
  if (previous.type === 'CLASSREF' || previous.type === 'VARIABLE' || previous.type === 'NAME') return true
  const startsLine = previous.type === 'INDENT' || previous.type === 'NEWLINE'
  const isOneSpace = bracket.index - solid.index === 2 && isSingleSpace(previous)
  switch (solid.type) {
    case 'COMMENT':
      return true
    case 'SEMIC':
    case 'COMMA':
    case 'COLON':
    case 'NAME':
      return startsLine || isOneSpace
    case 'RBRACK':
    case 'RBRACE':
    case 'RPAREN':
    case 'LPAREN':
    case 'LBRACK':
    case 'TYPE':
      return solid === previous || startsLine
    case 'LBRACE':
      return solid === previous || startsLine || isWellSpacedInBlock(solid, isOneSpace)
    case 'CLASSREF':
    case 'VARIABLE':
      return false
    default:
      return isOneSpace
  }
}

/** A block of a resource or a lambda may begin with a space and a bracket; so may a block at the start of a file. */
function isWellSpacedInBlock(brace: Token, isOneSpace: boolean): boolean {
  const before = findSolidBefore(brace)
  return !before || ((before.type === 'NAME' || before.type === 'PIPE') && isOneSpace)
}

/** `manifest_whitespace_opening_bracket_after` */
export const spaceAfterOpeningBracket: Check = {
  name: 'manifest_whitespace_opening_bracket_after',
  doc: 'No space, or one line break, is after an opening bracket.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be no whitespace or a single newline after an opening bracket'
    for (const { next } of manifest.select('LBRACK')) {
      if (!next || !isWhitespace(next)) continue
      const at = next.type === 'NEWLINE' ? next.next : next
      if (!at || (next.type === 'NEWLINE' && at.type !== 'NEWLINE')) continue
      report({ severity: 'error', message, at, fix: (list) => reduceSpaceAfterBracket(at, list) })
    }
  },
}

function reduceSpaceAfterBracket(start: Token, list: TokenList): boolean {
  if (start.type === 'WHITESPACE') {
    list.remove(start)
    return true
  }
  for (let token: Token | undefined = start; token?.next; token = token.next) {
    const { next } = token
    if (next.type !== 'NEWLINE' && (next.type !== 'INDENT' || next.next?.type === 'NEWLINE')) break
    list.remove(token)
  }
  return true
}
