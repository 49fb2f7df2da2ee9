import type { Manifest } from '../../manifest/manifest.ts'
import { Token, type TokenType } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import type { Check, Report } from '../check.ts'

/** Spaces of a level of indentation. */
const levelSpaces = 2

/** `strict_indent` */
export const strictIndent: Check = {
  name: 'strict_indent',
  doc: 'Each line is indented by its level of nesting.',
  isOptional: true,
  check(manifest, report) {
    const state = new Indentation(matchBrackets(manifest.tokens))
    for (const lineBreak of manifest.select('NEWLINE')) {
      const first = lineBreak.next
      if (!first) continue
      const expected = state.advance(lineBreak) * levelSpaces
      if (expected < 0) {
        const message =
          'Error calculating indent. Please file an issue at https://github.com/relud/puppet-lint-indent-check/issues'
        report({ severity: 'error', message, at: first })
        return
      }
      reportLine(lineBreak, first, expected, manifest, report)
    }
  },
}

function reportLine(lineBreak: Token, first: Token, expected: number, { meter }: Manifest, report: Report): void {
  const actual = countIndent(lineBreak, first)
  if (actual === expected || first.type === 'COMMENT' || first.type === 'NEWLINE') return
  meter.spend(expected)
  const message = `indent should be ${expected} chars and is ${actual}`
  report({ severity: 'warning', message, at: first, fix: (list) => setIndent(lineBreak, first, expected, list) })
}

/** Text of a heredoc stays, and so does a line whose indent was measured at the heredoc before it. */
function setIndent(lineBreak: Token, first: Token, length: number, list: TokenList): boolean {
  if (first.type === 'HEREDOC' || first.type === 'HEREDOC_PRE') return false
  if (first.type !== 'INDENT' && isAtHeredoc(lineBreak)) return false
  const text = ' '.repeat(length)
  if (first.type === 'INDENT' || first.type === 'WHITESPACE') first.value = text
  else list.placeBefore(new Token('INDENT', text), first)
  return true
}

function isAtHeredoc({ previous }: Token): boolean {
  return previous?.type === 'HEREDOC' || previous?.type === 'HEREDOC_OPEN'
}

function countIndent({ previous }: Token, first: Token): number {
  if (first.type === 'INDENT') return first.value.length
  if (previous?.type === 'HEREDOC') return lastLineLength(previous.value)
  if (previous?.type === 'HEREDOC_OPEN') {
    let end: Token = first
    while (end.next && end.next.type !== 'NEWLINE') end = end.next
    return first.type === 'NEWLINE' ? lastLineLength('') : lastLineLength(end.value)
  }
  return 0
}

/** The length of the last line that is not empty. */
function lastLineLength(text: string): number {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return end - (text.lastIndexOf('\n', end - 1) + 1)
}

const opening: Partial<Record<TokenType, TokenType>> = {
  RBRACE: 'LBRACE',
  RBRACK: 'LBRACK',
  RPAREN: 'LPAREN',
  HEREDOC: 'HEREDOC_OPEN',
  HEREDOC_POST: 'HEREDOC_OPEN',
}

/** The other bracket of each pair; each kind of bracket is matched by itself. */
function matchBrackets(tokens: readonly Token[]): ReadonlyMap<Token, Token> {
  const open = new Map<TokenType, Token[]>()
  for (const type of Object.values(opening)) open.set(type, [])
  const matches = new Map<Token, Token>()
  for (const token of tokens) {
    open.get(token.type)?.push(token)
    const opener = open.get(opening[token.type] ?? 'NEWLINE')?.pop()
    if (!opener) continue
    matches.set(token, opener)
    matches.set(opener, token)
  }
  return matches
}

/** The level of nesting, from line to line. */
class Indentation {
  readonly #matches: ReadonlyMap<Token, Token>
  #level = 0
  /** The line of the colon after a title on a line of its own, whose attributes are one level deeper. */
  #colonLine: number | undefined

  constructor(matches: ReadonlyMap<Token, Token>) {
    this.#matches = matches
  }

  /** The level of the line after a line break; negative after too many closing brackets. */
  advance(lineBreak: Token): number {
    const { opened, heredocs } = this.#readLineBefore(lineBreak)
    this.#level += opened
    const continued = this.#readLineEnd(lineBreak, opened)
    this.#readLineAfter(lineBreak)
    return this.#level < 0 ? -1 : this.#level + heredocs + continued
  }

  /** Counts the brackets that stay open at the end of the line, and the heredocs that begin there. */
  #readLineBefore({ previous }: Token): { readonly opened: number; readonly heredocs: number } {
    let opened = 0
    let heredocs = 0
    for (let token = previous; token && token.type !== 'NEWLINE'; token = token.previous) {
      if (token.type === 'HEREDOC_OPEN') heredocs++
      if (token.type !== 'LBRACE' && token.type !== 'LBRACK' && token.type !== 'LPAREN') continue
      const closing = this.#matches.get(token)
      if (!closing || closing.line > token.line) opened++
    }
    return { opened, heredocs }
  }

  /** The additional levels of the next line because of the last token of this line. */
  #readLineEnd({ previous }: Token, opened: number): number {
    let last = previous
    while (last?.type === 'WHITESPACE' || last?.type === 'COMMENT') last = last.previous
    if (last?.type === 'EQUALS' || last?.type === 'FARROW') return 1
    if (last?.type === 'COLON' && opened === 0 && this.#colonLine === undefined) {
      this.#colonLine = last.line
      this.#level++
    } else if (last?.type === 'SEMIC' && this.#colonLine !== undefined) {
      this.#colonLine = undefined
      this.#level--
    }
    return 0
  }

  /** Closes the levels of the brackets on the next line that were opened on earlier lines. */
  #readLineAfter({ next }: Token): void {
    for (let token = next; token && token.type !== 'NEWLINE'; token = token.next) {
      if (token.type !== 'RBRACE' && token.type !== 'RBRACK' && token.type !== 'RPAREN') continue
      const opener = this.#matches.get(token)
      if (!opener) continue
      if (opener.line < token.line) this.#level--
      if (token.type === 'RBRACE' && this.#colonLine !== undefined && opener.line < this.#colonLine) {
        this.#level--
        this.#colonLine = undefined
      }
    }
  }
}
