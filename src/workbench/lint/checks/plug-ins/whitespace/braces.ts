import type { Token } from '../../../tokens/token.ts'
import type { TokenList } from '../../../tokens/token-list.ts'
import type { Check } from '../../check.ts'
import {
  findSolidAfter,
  findSolidBefore,
  hasLineBreakBetween,
  insertSpace,
  isSingleSpace,
  mayFollowBracket,
  removeSpaceAfterBracket,
  removeSpaceBetween,
  setSingleSpace,
} from './spaces.ts'

/** `manifest_whitespace_closing_brace_before` */
export const spaceBeforeClosingBrace: Check = {
  name: 'manifest_whitespace_closing_brace_before',
  doc: 'One space or line break is before a closing brace.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space or newline before a closing brace'
    for (const brace of manifest.select('RBRACE')) {
      const { previous } = brace
      const solid = findSolidBefore(brace)
      if (!previous || !solid?.next || previous.type === 'LBRACE') continue
      const distance = brace.index - solid.index
      if (solid.type !== 'LBRACE' && isSingleSpace(previous) && distance === 2) continue
      if ((previous.type === 'INDENT' && distance === 3) || (previous.type === 'NEWLINE' && distance === 2)) continue
      const at = solid.next
      report({ severity: 'error', message, at, fix: (list) => reduceSpaceBeforeBrace(at, list) })
    }
  },
}

function reduceSpaceBeforeBrace(start: Token, list: TokenList): boolean {
  let token = start
  while (token.type !== 'RBRACE') {
    const second = token.after
    if (token.type === 'NEWLINE' && second?.type === 'RBRACE') break
    if (token.type === 'NEWLINE' && second?.type === 'INDENT' && second.after?.type === 'RBRACE') break
    list.remove(token)
    if (!token.next) return true
    token = token.next
  }
  const before = token.previous?.type
  if (token.type === 'RBRACE' && before !== 'LBRACE' && before !== 'NEWLINE' && before !== 'INDENT')
    insertSpace(token, list)
  return true
}

/** `manifest_whitespace_closing_brace_after` */
export const spaceAfterClosingBrace: Check = {
  name: 'manifest_whitespace_closing_brace_after',
  doc: 'No space is between a closing brace and punctuation.',
  isOptional: true,
  check(manifest, report) {
    const message =
      'there should be either a bracket, punctuation mark, closing quote or a newline after a closing brace, or whitespace and none of the aforementioned'
    for (const brace of manifest.select('RBRACE')) {
      const at = findWrongFollower(brace)
      if (at) report({ severity: 'error', message, at, fix: (list) => removeSpaceAfterBracket(at, list) })
    }
  },
}

/** The token after a closing bracket or brace that should not be there, or is followed by what needs no space. */
export function findWrongFollower(closing: Token): Token | undefined {
  const { next } = closing
  if (!next || mayFollowBracket(next)) return undefined
  if (next.type !== 'WHITESPACE') return next
  const solid = findSolidAfter(closing)
  return solid && mayFollowBracket(solid) ? next : undefined
}

/** `manifest_whitespace_opening_brace_before` */
export const spaceBeforeOpeningBrace: Check = {
  name: 'manifest_whitespace_opening_brace_before',
  doc: 'One space is before an opening brace.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space before an opening brace'
    for (const brace of manifest.select('LBRACE')) {
      const solid = findSolidBefore(brace)
      if (!solid || !brace.previous || isWellSpaced(brace, brace.previous, solid)) continue
      report({
        severity: 'error',
        message,
        at: brace,
        fix: (list) => setSpaceBefore(brace, list, ['LPAREN', 'LBRACK']),
      })
    }
  },
}

function isWellSpaced(brace: Token, previous: Token, solid: Token): boolean {
  const isOneSpace = brace.index - solid.index === 2 && isSingleSpace(previous)
  switch (solid.type) {
    case 'COMMENT':
    case 'COLON':
      return true
    case 'COMMA':
      return isOneSpace || previous.type === 'INDENT' || previous.type === 'NEWLINE'
    case 'LPAREN':
    case 'LBRACK':
      return solid === previous || hasLineBreakBetween(solid, brace)
    case 'LBRACE':
      return isOneSpace || hasLineBreakBetween(solid, brace)
    default:
      return isOneSpace
  }
}

/** Removes the white space before a token, and inserts one space unless a token of certain types is before it. */
export function setSpaceBefore(token: Token, list: TokenList, withoutSpace: readonly Token['type'][]): boolean {
  const solid = findSolidBefore(token)
  if (!solid) return false
  removeSpaceBetween(solid, token, list)
  if (!withoutSpace.includes(solid.type)) insertSpace(token, list)
  return true
}

/** `manifest_whitespace_opening_brace_after` */
export const spaceAfterOpeningBrace: Check = {
  name: 'manifest_whitespace_opening_brace_after',
  doc: 'One space or line break is after an opening brace.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space or single newline after an opening brace'
    for (const { next } of manifest.select('LBRACE')) {
      if (!next || isSingleSpace(next) || ['RBRACE', 'LBRACK', 'LBRACE'].includes(next.type)) continue
      const at = next.type === 'NEWLINE' ? next.next : next
      if (!at || (next.type === 'NEWLINE' && at.type !== 'NEWLINE')) continue
      report({ severity: 'error', message, at, fix: (list) => reduceSpaceAfterBrace(at, list) })
    }
  },
}

function reduceSpaceAfterBrace(start: Token, list: TokenList): boolean {
  if (start.type !== 'NEWLINE') return setSingleSpace(start, list)
  for (let token: Token | undefined = start; token?.type === 'NEWLINE'; token = token.next) list.remove(token)
  return true
}
