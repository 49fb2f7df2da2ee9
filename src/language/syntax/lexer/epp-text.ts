import type { Issue } from '../../../base/issue.ts'
import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { syntaxIssues } from '../issues/syntax.ts'

/** Literal template text before the next tag, with the kind of that tag. */
export interface EppText {
  /** Text before the tag; `undefined` if there is no text to render. */
  readonly text: string | undefined
  /** Offset where the lexer continues. */
  readonly end: number
  readonly opens: 'end' | 'code' | 'expression' | Issue<Record<string, never>>
}

/** Reads template text from `at`; `trim` is true after a `-%>` tag. Puppet: epp_support.rb. */
export function scanEppText(source: string, at: number, trim: boolean): EppText {
  if (at >= source.length) return { text: undefined, end: at, opens: 'end' }
  let text = ''
  let position = at
  let trimming = trim
  while (position < source.length) {
    const tag = source.indexOf('<%', position)
    const end = tag === -1 ? source.length : tag + 2
    let part = source.slice(position, end)
    if (trimming) part = part.replace(/^[ \t]*\r?\n?/, '')
    trimming = false
    text += part.replaceAll('%%>', '%>')
    position = end
    switch (source[position]) {
      case undefined:
        return { text, end: position, opens: text.endsWith('<%') ? syntaxIssues.EPP_UNBALANCED_EXPRESSION : 'end' }
      case '-':
        return { text: trimTrailing(text.slice(0, -2), ' \t'), end: position + 1, opens: 'code' }
      case '%':
        position++
        break
      case '=':
        return { text: text.slice(0, -2), end: position + 1, opens: 'expression' }
      case '#': {
        text = text.slice(0, -2)
        const close = findCommentEnd(source, position)
        if (close === -1) return { text, end: position, opens: syntaxIssues.EPP_UNBALANCED_COMMENT }
        const comment = source.slice(position, close)
        if (comment[1] === '-') text = trimTrailing(text, ' \t')
        trimming = comment.endsWith('-%>')
        position = close
        break
      }
      default:
        return { text: text.slice(0, -2), end: position, opens: 'code' }
    }
  }
  // Like Puppet, drops the text before a comment at the end of the template.
  return { text: undefined, end: position, opens: 'end' }
}

/** Returns the offset after the `%>` that closes a comment. The escape `%%>` does not close it. */
function findCommentEnd(source: string, at: number): number {
  for (let close = source.indexOf('%>', at + 1); close !== -1; close = source.indexOf('%>', close + 1))
    if (source[close - 1] !== '%') return close + 2
  return -1
}
