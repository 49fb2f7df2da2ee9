import { type Diagnostic, diagnose, errorOf, PuppetError } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import { Lexer } from './lexer.ts'
import type { Token } from './token.ts'

/** Options for reading a source. */
export interface LexerOptions {
  /** True for a template: text first, code in tags. */
  readonly epp?: boolean
  /** True where `plan` and `apply` are words of the language. */
  readonly tasks?: boolean
}

/** The tokens and warnings found so far, shared with the lexers of heredocs. */
export interface Output {
  readonly tokens: Token[]
  readonly warnings: Diagnostic[]
}

/** The tokens up to the end, or up to an error: that counts only if the parser gets there. */
export interface Lexed {
  readonly tokens: readonly Token[]
  readonly warnings: readonly Diagnostic[]
  readonly error: PuppetError | undefined
}

/** Reads all of a source. */
export function lex(source: Source, options: LexerOptions = {}): Lexed {
  const output: Output = { tokens: [], warnings: [] }
  const error = byteOrderMark(source) ?? otherBytes(source) ?? new Lexer(source, source.text, output, options).run()
  const end = source.text.length
  output.tokens.push({ kind: 'EOF', value: '', start: end, end })
  return { ...output, error }
}

function byteOrderMark(source: Source): PuppetError | undefined {
  if (source.text.charCodeAt(0) !== 0xfeff) return undefined
  const span = { source, start: 0, end: 0 }
  const mark = diagnose(syntaxIssues.ILLEGAL_BOM, { format: 'UTF-8', bytes: '[EF BB BF]' }, span)
  return new PuppetError({ ...mark, wholeFile: true })
}

/** Points at the first byte that is not UTF-8. */
function otherBytes(source: Source): PuppetError | undefined {
  if (source.text.isWellFormed()) return undefined
  const start = source.text.search(/[\ud800-\udfff]/u)
  return errorOf(syntaxIssues.NOT_UTF8, {}, { source, start, end: start + 1 })
}
