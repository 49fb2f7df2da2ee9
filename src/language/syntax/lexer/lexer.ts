import { createDiagnostic, type Issue, PuppetError, throwIssue } from '../../../base/issue.ts'
import type { Source, SourceSpan } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import { isBlankBetween, isBlankCode, isSpaceBefore, quoteExcerpt } from './characters.ts'
import { scanEppText } from './epp-text.ts'
import { doubleQuotedEscapes, findTextEnd, unescapeSingleQuoted, unescapeText } from './escapes.ts'
import { type ReportSyntaxError, readHeredocBody, readHeredocHead } from './heredoc.ts'
import type { LexerOptions, LexerOutput } from './lex.ts'
import { findReferenceEnd, findRegexpEnd, findVariableEnd, scanBareWord } from './names.ts'
import { scanNumber } from './number.ts'
import { findOperator } from './operators.ts'
import { canEndOperand, isKeyword, keywords, keywordsOfTasks, type TokenKind } from './token.ts'

/** A heredoc whose text a nested lexer reads. */
interface Heredoc {
  readonly escapes: ReadonlySet<string>
  readonly interpolates: boolean
  readonly depth: number
  toSourceOffset(offset: number): number
}

const maxDepth = 100

/** Splits Puppet code into tokens. */
export class Lexer {
  readonly #source: Source
  readonly #text: string
  readonly #output: LexerOutput
  readonly #options: LexerOptions
  readonly #heredoc: Heredoc | undefined
  readonly #words: ReadonlyMap<string, TokenKind>
  #position = 0
  #braces = 0
  #depth: number
  /** Kind of the previous token, which determines the meaning of `/` and `{`. */
  #after: TokenKind | undefined
  #lineStart = 0
  /** Offset where the next line of code starts, after the heredoc bodies in between. */
  #afterHeredocs: number | undefined
  /** True after a search found no closing `/`; the rest of the text then contains no regular expression. */
  #noRegexps = false
  #mode: 'manifest' | 'code' | 'expression' | 'text' = 'manifest'
  #tagIsOpen = false
  /** Text of the last string, which the error for an unclosed string quotes. */
  #scanned: string | undefined

  constructor(source: Source, text: string, output: LexerOutput, options: LexerOptions, heredoc?: Heredoc) {
    this.#source = source
    this.#text = text
    this.#output = output
    this.#options = options
    this.#heredoc = heredoc
    this.#depth = heredoc?.depth ?? 0
    this.#words = options.tasks ? keywordsOfTasks : keywords
  }

  /** Reads all tokens. Returns the error that stopped the lexer, if any. */
  run(): PuppetError | undefined {
    const { tokens } = this.#output
    let whole = 0
    try {
      if (this.#options.epp) {
        this.#push('EPP_START', '', 0, 0)
        this.#eppText(false)
      }
      while (this.#position < this.#text.length) {
        whole = tokens.length
        this.#next()
      }
      whole = tokens.length
      if (this.#tagIsOpen) this.#fail(syntaxIssues.EPP_UNBALANCED_TAG, {}, this.#text.length)
      return undefined
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      // Removes the tokens of the unfinished string: Puppet emits the tokens of a string or heredoc only after it has
      // read the whole string.
      tokens.length = whole
      return error
    }
  }

  runHeredoc(): void {
    this.#interpolated(false)
  }

  #next(): void {
    const at = this.#position
    const code = this.#text.charCodeAt(at)
    if ((code >= 97 && code <= 122) || code === 95) this.#name(at)
    else if (code >= 65 && code <= 90) this.#reference(at, syntaxIssues.ILLEGAL_CLASS_REFERENCE, 1)
    else if (code >= 48 && code <= 57) this.#number(at)
    else if (isBlankCode(code)) this.#blanks()
    else this.#punctuation(at, code)
  }

  #punctuation(at: number, code: number): void {
    switch (code) {
      case 10: // newline
        this.#position = this.#afterHeredocs ?? at + 1
        this.#afterHeredocs = undefined
        this.#lineStart = this.#position
        break
      case 35: // #
        this.#comment(at)
        break
      case 36: // $
        this.#variable(at)
        break
      case 39: // '
        this.#singleQuoted(at)
        break
      case 34: // "
        this.#position++
        this.#scanned = '"'
        this.#interpolated(true)
        break
      case 123: // {
        this.#braces++
        this.#emit(this.#after === '?' ? '?{' : '{', '{', at, at + 1)
        break
      case 125: // }
        this.#braces--
        this.#emit('}', '}', at, at + 1)
        break
      case 91: // [
        this.#emit(isSpaceBefore(this.#text, at) ? ' [' : '[', '[', at, at + 1)
        break
      case 40: // (
        this.#emit(isBlankBetween(this.#text, this.#lineStart, at) ? '\n(' : '(', '(', at, at + 1)
        break
      case 47: // /
        this.#slash(at)
        break
      case 58: // :
        if (this.#text.charCodeAt(at + 1) === 58) this.#qualified(at)
        else this.#operator(at, code)
        break
      case 64: // @
        if (this.#text.charCodeAt(at + 1) === 40) this.#readHeredoc(at)
        else this.#operator(at, code)
        break
      default:
        if (this.#mode === 'manifest' || !this.#closesTag(at, code)) this.#operator(at, code)
    }
  }

  // ---- Tokens

  #push(kind: TokenKind, value: string, start: number, end: number): void {
    const { tokens } = this.#output
    const heredoc = this.#heredoc
    if (heredoc) tokens.push({ kind, value, start: heredoc.toSourceOffset(start), end: heredoc.toSourceOffset(end) })
    else tokens.push({ kind, value, start, end })
  }

  #emit(kind: TokenKind, value: string, start: number, end: number): void {
    this.#position = end
    this.#after = kind
    this.#push(kind, value, start, end)
  }

  #operator(at: number, code: number): void {
    const kind = findOperator(this.#text, at, code)
    if (kind) this.#emit(kind, kind, at, at + kind.length)
    else this.#emit('OTHER', '', at, at + 1)
  }

  #name(at: number): void {
    const { end, isName } = scanBareWord(this.#text, at)
    const value = this.#text.slice(at, end)
    this.#scanned = value
    this.#emit(isName ? (this.#words.get(value) ?? 'NAME') : 'WORD', value, at, end)
  }

  #reference(at: number, issue: Issue<Record<string, never>>, beyond: number): void {
    const end = findReferenceEnd(this.#text, at)
    if (this.#text.startsWith('::', end)) this.#fail(issue, {}, end + beyond)
    this.#scanned = this.#text.slice(at, end)
    this.#emit('CLASSREF', this.#scanned, at, end)
  }

  #qualified(at: number): void {
    const code = this.#text.charCodeAt(at + 2)
    if (code >= 65 && code <= 90) this.#reference(at, syntaxIssues.ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE, 3)
    else if ((code >= 97 && code <= 122) || code === 95) this.#name(at)
    else this.#fail(syntaxIssues.ILLEGAL_FULLY_QUALIFIED_NAME, {}, at + 2)
  }

  #number(at: number): void {
    const number = scanNumber(this.#text, at)
    if ('issue' in number) this.#fail(number.issue, { value: number.value }, number.at)
    this.#scanned = number.value
    this.#emit('NUMBER', number.value, at, at + number.value.length)
  }

  #variable(at: number): void {
    const end = findVariableEnd(this.#text, at + 1)
    this.#scanned = end === -1 ? undefined : this.#text.slice(at, end)
    if (end === -1) this.#emit('VARIABLE', '', at, at + 1)
    else this.#emit('VARIABLE', this.#text.slice(at + 1, end), at, end)
  }

  #blanks(): void {
    const start = this.#position
    while (isBlankCode(this.#text.charCodeAt(this.#position))) this.#position++
    this.#scanned = this.#position === start ? undefined : this.#text.slice(start, this.#position)
  }

  #comment(at: number): void {
    const end = this.#text.indexOf('\n', at)
    this.#position = end === -1 ? this.#text.length : end
    this.#scanned = this.#text.slice(at, this.#position)
  }

  #slash(at: number): void {
    const text = this.#text
    if (text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2)
      if (end === -1) this.#fail(syntaxIssues.UNCLOSED_MLCOMMENT, {}, at)
      this.#position = end + 2
      this.#scanned = text.slice(at, end + 2)
      return
    }
    const isDivision = this.#noRegexps || (this.#after !== undefined && canEndOperand(this.#after))
    const end = isDivision ? -1 : findRegexpEnd(text, at)
    if (end === -1) {
      this.#noRegexps ||= !isDivision
      this.#operator(at, 47)
      return
    }
    this.#scanned = text.slice(at, end)
    this.#emit('REGEX', text.slice(at + 1, end - 1).replaceAll('\\/', '/'), at, end)
  }

  // ---- Strings

  #singleQuoted(at: number): void {
    const text = this.#text
    let end = at + 1
    while (end < text.length && text.charCodeAt(end) !== 39) end += text.charCodeAt(end) === 92 ? 2 : 1
    if (end >= text.length) this.#failUnclosed(`"'"`, at + 1)
    this.#scanned = text.slice(Math.max(at + 1, end - 1), end + 1)
    this.#emit('STRING', unescapeSingleQuoted(text.slice(at + 1, end)), at, end + 1)
  }

  /** Reads the text of a heredoc or of a double-quoted string after its opening quote, with interpolations. */
  #interpolated(quoted: boolean): void {
    let start = quoted ? this.#position - 1 : this.#position
    let isFirst = true
    for (;;) {
      let text = ''
      let terminator: string
      let name = -1
      let end: number
      for (;;) {
        ;({ text, terminator } = this.#slurp(quoted, text))
        end = this.#position
        if (terminator !== '$') break
        name = findVariableEnd(this.#text, end)
        this.#scanned = name === -1 ? undefined : this.#text.slice(end, name)
        if (name !== -1) break
        text += '$'
      }
      if (terminator !== '$' && terminator !== '${') {
        this.#emit(isFirst ? 'STRING' : 'DQPOST', text, start, end)
        return
      }
      const kind = isFirst ? 'DQPRE' : 'DQMID'
      if (terminator === '$') {
        this.#push(kind, text, start, end - 1)
        this.#push('VARIABLE', this.#text.slice(end, name), end - 1, name)
        this.#position = name
      } else {
        this.#push(kind, text, start, end)
        this.#interpolation()
      }
      isFirst = false
      start = this.#position
    }
  }

  /** Reads text up to `$`, `${` or the end of the string, and appends it to `before`. */
  #slurp(quoted: boolean, before: string): { text: string; terminator: string } {
    const text = this.#text
    const start = this.#position
    const escapes = this.#heredoc && !quoted ? this.#heredoc.escapes : doubleQuotedEscapes
    const backslashes = quoted || escapes.has('$')
    const dollars = quoted || this.#heredoc!.interpolates
    const end = findTextEnd(text, start, { backslashes, dollars, quoted })
    if (end === text.length && quoted)
      this.#failUnclosed(this.#scanned === "'" ? '"\'"' : `'${this.#scanned ?? ''}'`, start)
    const terminator = text.startsWith('${', end) ? '${' : text.slice(end, end + 1)
    this.#position = end + terminator.length
    this.#scanned = text.slice(Math.max(start, end - 1), this.#position)
    const at = this.#position
    const value = unescapeText(text.slice(start, end), escapes, {
      unrecognized: quoted ? (ch) => this.#warn(syntaxIssues.UNRECOGNIZED_ESCAPE, { ch }, at) : undefined,
      unicode: () => this.#warn(syntaxIssues.ILLEGAL_UNICODE_ESCAPE, {}, at),
      outOfRange: () => this.#fail(syntaxIssues.ILLEGAL_UNICODE_ESCAPE, {}, at),
    })
    return { text: before + value, terminator }
  }

  /** Reads the tokens from `${` to `}`. A leading name or number is read as a variable name. */
  #interpolation(): void {
    if (++this.#depth > maxDepth) this.#fail(syntaxIssues.NESTED_TOO_DEEPLY, {}, this.#position)
    const { tokens } = this.#output
    const first = tokens.length
    const braces = this.#braces++
    this.#blanks()
    while (this.#position < this.#text.length) {
      if (this.#text.charCodeAt(this.#position) === 125 && this.#braces - 1 === braces) {
        this.#braces--
        this.#position++
        this.#after = '}'
        const second = tokens[first + 1]?.kind
        if (tokens.length === first + 1 || second === '.' || second === '[') this.#makeVariable(first)
        break
      }
      const before = tokens.length
      this.#next()
      if (tokens.length === before) this.#blanks()
    }
    this.#depth--
  }

  #makeVariable(index: number): void {
    const token = this.#output.tokens[index]!
    const { kind } = token
    if (kind === 'NAME' || kind === 'NUMBER' || kind === 'WORD' || kind === 'BOOLEAN' || isKeyword(kind))
      this.#output.tokens[index] = { ...token, kind: 'VARIABLE' }
  }

  #readHeredoc(at: number): void {
    const failAtOffset: ReportSyntaxError = (issue, a, where) => this.#fail(issue, a, where)
    const head = readHeredocHead(this.#text, at, failAtOffset)
    this.#push('HEREDOC', head.syntax, at, head.end)
    const newline = this.#afterHeredocs === undefined ? this.#text.indexOf('\n', head.end) : -1
    const start = this.#afterHeredocs ?? newline + 1
    if (start === 0) this.#fail(syntaxIssues.HEREDOC_WITHOUT_TEXT, {}, head.end)
    const body = readHeredocBody(this.#text, start, head.tag, failAtOffset)
    this.#afterHeredocs = body.end
    const depth = this.#depth + 1
    if (depth > maxDepth) this.#fail(syntaxIssues.NESTED_TOO_DEEPLY, {}, at)
    const toSourceOffset = (offset: number) => this.#toSourceOffset(body.toSourceOffset(offset))
    const heredoc = { escapes: head.escapes, interpolates: head.interpolates, depth, toSourceOffset: toSourceOffset }
    const options = { tasks: this.#options.tasks }
    new Lexer(this.#source, body.text, this.#output, options, heredoc).runHeredoc()
    this.#after = 'STRING'
    this.#position = head.end
  }

  // ---- Templates

  /** Reads a closing tag `%>` or `-%>` at `at`, and the text after it. Returns false if there is no tag. */
  #closesTag(at: number, code: number): boolean {
    const trims = code === 45
    const tag = trims ? '-%>' : '%>'
    if ((code !== 37 && !trims) || !this.#text.startsWith(tag, at)) return false
    this.#position = at + tag.length
    if (this.#mode === 'expression') this.#push('EPP_END', tag, at, this.#position)
    this.#eppText(trims)
    return true
  }

  #eppText(trim: boolean): void {
    const start = this.#position
    const { text, end, opens } = scanEppText(this.#text, start, trim)
    this.#position = end
    if (typeof opens === 'object') this.#fail(opens, {}, end)
    if (text !== undefined && (text !== '' || opens === 'end')) this.#push('RENDER_STRING', text, start, end)
    if (opens === 'expression') this.#push('RENDER_EXPR', '', start, start)
    this.#mode = opens === 'end' ? 'text' : opens
    this.#tagIsOpen = opens !== 'end'
    this.#after = 'RENDER_STRING'
  }

  // ---- Errors

  #toSourceOffset(offset: number): number {
    return this.#heredoc ? this.#heredoc.toSourceOffset(offset) : offset
  }

  #spanAt(offset: number): SourceSpan {
    const at = Math.min(this.#toSourceOffset(offset), this.#source.text.length)
    return { source: this.#source, start: at, end: at }
  }

  #fail<A>(issue: Issue<A>, a: A, at: number): never {
    throwIssue(issue, a, this.#spanAt(at))
  }

  #failUnclosed(after: string, at: number): never {
    this.#fail(syntaxIssues.UNCLOSED_QUOTE, { after, followedBy: quoteExcerpt(this.#text, at) }, at)
  }

  #warn<A>(issue: Issue<A>, a: A, at: number): void {
    this.#output.warnings.push(createDiagnostic(issue, a, this.#spanAt(at), 'warning'))
  }
}
