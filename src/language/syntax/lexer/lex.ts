import { createDiagnostic, createPuppetError, type Diagnostic, PuppetError } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import { Lexer } from './lexer.ts'
import type { Token } from './token.ts'

/** Options of the lexer. */
export interface LexerOptions {
  /** True for a template: literal text first, code in tags. */
  readonly epp?: boolean
  /** True if `plan` and `apply` are keywords (Puppet's setting `tasks`). */
  readonly tasks?: boolean
}

/** Tokens and warnings found so far. The nested lexers of heredocs add to the same output. */
export interface LexerOutput {
  readonly tokens: Token[]
  readonly warnings: Diagnostic[]
}

/**
 * All tokens, or the tokens before the first lexical error. The parser throws this error only if it reaches the end of
 * the tokens.
 */
export interface LexResult {
  readonly tokens: readonly Token[]
  readonly warnings: readonly Diagnostic[]
  readonly error: PuppetError | undefined
}

/** Splits a source into tokens. */
export function lex(source: Source, options: LexerOptions = {}): LexResult {
  const output: LexerOutput = { tokens: [], warnings: [] }
  const error =
    findByteOrderMark(source) ?? findInvalidByte(source) ?? new Lexer(source, source.text, output, options).run()
  const end = source.text.length
  output.tokens.push({ kind: 'EOF', value: '', start: end, end })
  return { ...output, error }
}

function findByteOrderMark(source: Source): PuppetError | undefined {
  if (source.text.charCodeAt(0) !== 0xfeff) return undefined
  const span = { source, start: 0, end: 0 }
  const mark = createDiagnostic(syntaxIssues.ILLEGAL_BOM, { format: 'UTF-8', bytes: '[EF BB BF]' }, span)
  return new PuppetError({ ...mark, wholeFile: true })
}

/** The error for a source with bytes that are not UTF-8, at the first such byte. */
function findInvalidByte(source: Source): PuppetError | undefined {
  if (source.text.isWellFormed()) return undefined
  const start = source.text.search(/[\ud800-\udfff]/u)
  return createPuppetError(syntaxIssues.NOT_UTF8, {}, { source, start, end: start + 1 })
}
