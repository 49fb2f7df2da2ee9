import type { Issue } from '../../../base/issue.ts'
import { withoutTrailing } from '../../../base/text/trailing.ts'
import { syntaxIssues } from '../issues/syntax.ts'

/** The text of a template up to its next tag, and what that tag opens. */
export interface EppText {
  /** `undefined` when there is none to render. */
  readonly text: string | undefined
  /** The offset that the lexer goes on from. */
  readonly end: number
  readonly opens: 'end' | 'code' | 'expression' | Issue<Record<string, never>>
}

/** Reads a template's text from `at`; `trim` when the tag before ended in `-%>`. (Puppet: epp_support.rb) */
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
        return { text: withoutTrailing(text.slice(0, -2), ' \t'), end: position + 1, opens: 'code' }
      case '%':
        position++
        break
      case '=':
        return { text: text.slice(0, -2), end: position + 1, opens: 'expression' }
      case '#': {
        text = text.slice(0, -2)
        const close = endOfComment(source, position)
        if (close === -1) return { text, end: position, opens: syntaxIssues.EPP_UNBALANCED_COMMENT }
        const comment = source.slice(position, close)
        if (comment[1] === '-') text = withoutTrailing(text, ' \t')
        trimming = comment.endsWith('-%>')
        position = close
        break
      }
      default:
        return { text: text.slice(0, -2), end: position, opens: 'code' }
    }
  }
  // As in Puppet, text before a comment that ends the template is lost.
  return { text: undefined, end: position, opens: 'end' }
}

/** The offset behind the `%>` that closes a comment; that of a `%%>` does not. */
function endOfComment(source: string, at: number): number {
  for (let close = source.indexOf('%>', at + 1); close !== -1; close = source.indexOf('%>', close + 1))
    if (source[close - 1] !== '%') return close + 2
  return -1
}
