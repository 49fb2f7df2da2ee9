import { findPrevious } from '../../manifest/token-search.ts'
import { countTokenCharacters, Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'

/** The place for an arrow. */
export interface ArrowPlace {
  readonly column: number
  /** Spaces before the attribute on a new line; undefined if the attribute stays on its line. */
  readonly indent: number | undefined
}

/** Moves an arrow to a column. False if there is no space for it, or the attribute cannot move to a new line. */
export function alignArrow(arrow: Token, { column, indent }: ArrowPlace, list: TokenList): boolean {
  const space = arrow.previous
  if (!space) return false
  let length: number | undefined
  if (indent === undefined) {
    const present = space.type === 'WHITESPACE' ? countTokenCharacters(space) : 0
    length = present + column - arrow.column
  } else length = moveToNewLine(arrow, { column, indent }, list)
  if (length === undefined || length < 0) return false
  const text = ' '.repeat(length)
  if (space.type === 'WHITESPACE') space.value = text
  else list.placeBefore(new Token('WHITESPACE', text), space.after)
  return true
}

/** Puts the attribute before an arrow on a line of its own. Returns the number of spaces before the arrow. */
function moveToNewLine(
  arrow: Token,
  { column, indent }: { readonly column: number; readonly indent: number },
  list: TokenList,
): number | undefined {
  const name = arrow.previousCode
  const before = name?.previous
  if (!name || (before?.type !== 'WHITESPACE' && before?.type !== 'INDENT')) return undefined
  list.placeBefore(new Token('NEWLINE', list.lineBreak), before)
  before.type = 'INDENT'
  before.value = ' '.repeat(indent)
  const start = findPrevious(arrow, 'INDENT', 'NEWLINE')
  let count = 1
  for (let token = start; token; token = token.after) {
    count += countTokenCharacters(token)
    if (token === name) return column - count
  }
  return undefined
}
