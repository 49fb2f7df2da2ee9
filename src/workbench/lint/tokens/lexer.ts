import { countCharacters, isBlank, isDigit, isNameStart, isUpper, isWord, isWordEnd } from './characters.ts'
import { dataTypes } from './data-types.ts'
import { parseHeredocTag } from './heredoc-tag.ts'
import { readNumber } from './number.ts'
import { findPunctuation } from './punctuation.ts'
import { endOfVariable, readHeredoc, readQuotedString, type Segment, startsVariable } from './string-segments.ts'
import {
  endOfBlanks,
  endOfDashes,
  endOfDelimited,
  endOfIndexes,
  endOfLine,
  endOfName,
  lineBreakLength,
  readHeredocTag,
  stripCommentMarks,
} from './text-ends.ts'
import { isFormatting, keywords, renderToken, Token, type TokenType } from './token.ts'

/** An error of a manifest that has no tokens. The place is relative to the innermost interpolation, as in puppet-lint. */
export class LexerError extends Error {
  readonly line: number
  readonly column: number
  readonly reason: string | undefined

  constructor(line: number, column: number, reason?: string) {
    super(reason ?? 'Unknown token')
    this.name = 'LexerError'
    this.line = line
    this.column = column
    this.reason = reason
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const doubleQuote = 0x22
const hash = 0x23
const dollar = 0x24
const singleQuote = 0x27
const openParenthesis = 0x28
const slash = 0x2f
const colon = 0x3a
const at = 0x40

/** Interpolations within interpolations that a manifest may have. */
const maxNestedInterpolations = 50

/** Splits a manifest into linked tokens. Throws LexerError. */
export function tokenize(text: string): Token[] {
  return new Lexer(text, [], 0).tokenize()
}

class Lexer {
  readonly #text: string
  /** Tags of heredocs whose text begins after the next line break. */
  readonly #heredocs: string[]
  readonly #depth: number
  readonly #tokens: Token[] = []
  #lastCode: Token | undefined
  #at = 0
  #line = 1
  #column = 1

  constructor(text: string, heredocs: string[], depth: number) {
    this.#text = text
    this.#heredocs = heredocs
    this.#depth = depth
  }

  tokenize(): Token[] {
    const { length } = this.#text
    while (this.#at < length) if (!this.#readToken()) this.#readRest()
    return this.#tokens
  }

  #readToken(): boolean {
    switch (this.#text.charCodeAt(this.#at)) {
      case lineFeed:
      case carriageReturn:
        return this.#readLineBreak()
      case dollar:
      case singleQuote:
      case doubleQuote:
      case at:
        return this.#readQuoted()
      case hash:
      case slash:
        return this.#readComment()
      default:
        return this.#readSimple()
    }
  }

  /** Reads white space, a word, a number or punctuation. */
  #readSimple(): boolean {
    const text = this.#text
    const start = this.#at
    const code = text.charCodeAt(start)
    if (isBlank(code)) {
      const end = endOfBlanks(text, start)
      return this.#take('WHITESPACE', end)
    }
    const isQualified = code === colon && text.charCodeAt(start + 1) === colon
    if (isUpper(code) || (isQualified && isUpper(text.charCodeAt(start + 2)))) return this.#readCapitalized()
    if (isDigit(code)) {
      const end = readNumber(text, start)
      if (end !== undefined) return this.#take('NUMBER', end)
    }
    if (isNameStart(code) || (isQualified && isNameStart(text.charCodeAt(start + 2)))) {
      const end = endOfName(text, start)
      if (text.charCodeAt(end) === openParenthesis) return this.#take('FUNCTION_NAME', end)
      const name = text.slice(start, end)
      return this.#take(keywords.has(name) ? (name.toUpperCase() as TokenType) : 'NAME', end)
    }
    const found = findPunctuation(text, start)
    return found !== undefined && this.#take(found.type, start + found.text.length)
  }

  #readCapitalized(): boolean {
    const text = this.#text
    const start = this.#at
    let end = start
    while (isWord(text.charCodeAt(end))) end++
    if (dataTypes.has(text.slice(start, end)) && isWordEnd(text, end)) return this.#take('TYPE', end)
    end = start
    for (;;) {
      const word = text.startsWith('::', end) ? end + 2 : end
      if (!isUpper(text.charCodeAt(word))) return this.#take('CLASSREF', end)
      end = endOfDashes(text, word)
    }
  }

  /** Reads a variable, a string or the beginning of a heredoc. */
  #readQuoted(): boolean {
    const text = this.#text
    const start = this.#at
    switch (text[start]) {
      case '$': {
        if (!startsVariable(text, start + 1)) return false
        const end = endOfIndexes(text, endOfVariable(text, start + 1))
        const name = text.slice(start + 1, end)
        return this.#takeAs('VARIABLE', name, end, `$${name}`)
      }
      case "'":
        return this.#readDelimited('SSTRING', "'")
      case '"': {
        const { segments, end } = readQuotedString(text, start + 1)
        if (segments.length === 0 && end > start + 1) throw this.#error('unterminated string')
        if (segments.length === 1) return this.#takeAs('STRING', segments[0]!.text, end)
        this.#addSegments(segments)
        this.#at = end
        return true
      }
      case '@': {
        const tag = readHeredocTag(text, start)
        if (tag === undefined) return false
        this.#heredocs.push(tag)
        this.#add('HEREDOC_OPEN', tag)
        this.#at = start + tag.length + 3
        return true
      }
      default:
        return false
    }
  }

  /** Reads a text up to a delimiter that has no backslash before it. False if no delimiter follows. */
  #readDelimited(type: 'SSTRING' | 'REGEX', delimiter: string): boolean {
    const text = this.#text
    const start = this.#at + 1
    if (text.indexOf(delimiter, start) === -1) return false
    const end = endOfDelimited(text, start, delimiter)
    if (end === undefined) throw this.#error('unterminated string')
    return this.#takeAs(type, text.slice(start, end), end + 1)
  }

  #readComment(): boolean {
    const text = this.#text
    const start = this.#at
    const isSlashed = text.startsWith('//', start)
    if (isSlashed || text.charCodeAt(start) === hash) {
      const end = endOfLine(text, start)
      return this.#takeAs(isSlashed ? 'SLASH_COMMENT' : 'COMMENT', text.slice(start + (isSlashed ? 2 : 1), end), end)
    }
    if (text.startsWith('/*', start)) {
      const end = text.indexOf('*/', start + 2)
      if (end === -1) return false
      const raw = text.slice(start, end + 2)
      this.#add('MLCOMMENT', stripCommentMarks(raw), raw)
      this.#at = end + 2
      return true
    }
    return false
  }

  #readLineBreak(): boolean {
    const text = this.#text
    const start = this.#at
    const length = lineBreakLength(text, start)
    if (length === 0) return false
    this.#append('NEWLINE', length === 2 ? '\r\n' : text[start]!)
    this.#line++
    this.#column = 1
    this.#at = start + length
    const tag = this.#heredocs.shift()
    if (tag === undefined) {
      const end = endOfBlanks(text, this.#at)
      if (end > this.#at) this.#take('INDENT', end)
      return true
    }
    const { segments, end } = readHeredoc(text, this.#at, parseHeredocTag(tag))
    this.#addHeredocSegments(segments)
    this.#at = end
    return true
  }

  #readRest(): void {
    const character = this.#text[this.#at]
    if (character === '/') {
      if (!this.#canBeRegex() || !this.#readDelimited('REGEX', '/')) this.#take('DIV', this.#at + 1)
    } else if (character === '@') this.#take('AT', this.#at + 1)
    else throw this.#error()
  }

  /** True if a regular expression may begin after the last token. */
  #canBeRegex(): boolean {
    switch (this.#lastCode?.type) {
      case undefined:
      case 'NODE':
      case 'LBRACE':
      case 'RBRACE':
      case 'MATCH':
      case 'NOMATCH':
      case 'COMMA':
      case 'LBRACK':
      case 'IF':
      case 'ELSIF':
      case 'LPAREN':
      case 'EQUALS':
        return true
      default:
        return false
    }
  }

  #error(reason?: string): LexerError {
    return new LexerError(this.#line, this.#column, reason)
  }

  /** Adds a token of text without line breaks. */
  #take(type: TokenType, end: number): boolean {
    this.#append(type, this.#text.slice(this.#at, end))
    this.#column += end - this.#at
    this.#at = end
    return true
  }

  /** Adds a token whose text in the manifest ends at an offset. */
  #takeAs(type: TokenType, value: string, end: number, raw?: string): boolean {
    this.#append(type, value, raw)
    this.#advance(this.#text.slice(this.#at, end))
    this.#at = end
    return true
  }

  #addSegments(segments: readonly Segment[]): void {
    if (segments.length === 0) return
    this.#add('DQPRE', segments[0]!.text)
    for (const segment of segments.slice(1, -1)) this.#addSegment(segment, 'DQMID')
    this.#add('DQPOST', segments.at(-1)!.text)
  }

  #addHeredocSegments(all: readonly Segment[]): void {
    if (all.length === 0) return
    const segments = all.slice(0, -1)
    const ending = all.at(-1)!.text
    const [first] = segments
    if (!first) throw this.#error('unterminated heredoc')
    if (segments.length === 1) this.#add('HEREDOC', first.text, first.text + ending)
    else {
      this.#add('HEREDOC_PRE', first.text)
      for (const segment of segments.slice(1, -1)) this.#addSegment(segment, 'HEREDOC_MID')
      const last = segments.at(-1)!.text
      this.#add('HEREDOC_POST', last, last + ending)
    }
  }

  #addSegment({ kind, text }: Segment, textType: TokenType): void {
    if (kind === 'variable') this.#add('UNENC_VARIABLE', text.startsWith('$') ? text.slice(1) : text)
    else if (kind === 'interpolation') this.#addInterpolation(text)
    else this.#add(textType, text)
  }

  #addInterpolation(text: string): void {
    if (this.#depth >= maxNestedInterpolations) throw this.#error('interpolations are nested too deeply')
    const tokens = new Lexer(text, this.#heredocs, this.#depth + 1).tokenize()
    tokens.forEach(({ type, value, raw }, index) => {
      this.#add(index === 0 && canBeVariable(type, value) ? 'VARIABLE' : type, value, raw)
    })
  }

  #add(type: TokenType, value: string, raw?: string): void {
    const token = this.#append(type, value, raw)
    this.#advance(renderToken(token))
  }

  #append(type: TokenType, value: string, raw?: string): Token {
    // The token before was measured with a `${`, which this variable does not have.
    if (type === 'UNENC_VARIABLE') this.#column -= 2
    const token = new Token(type, value, this.#line, this.#column, raw)
    const tokens = this.#tokens
    token.index = tokens.length
    const last = tokens[tokens.length - 1]
    if (last) {
      token.previous = last
      last.next = token
    }
    if (!isFormatting(type)) {
      const lastCode = this.#lastCode
      token.previousCode = lastCode
      if (lastCode) lastCode.nextCode = token
      this.#lastCode = token
    }
    tokens.push(token)
    return token
  }

  /** Moves the place to the end of a text. */
  #advance(text: string): void {
    if (!text.includes('\n') && !text.includes('\r')) {
      this.#column += countCharacters(text)
      return
    }
    let lineStart = 0
    for (let at = 0; at < text.length; at++) {
      const length = lineBreakLength(text, at)
      if (length === 0) continue
      this.#line++
      this.#column = 1
      lineStart = at + length
      at += length - 1
    }
    this.#column += countCharacters(lineStart === 0 ? text : text.slice(lineStart))
  }
}

/** True if the first word of an interpolation, such as `name` in `${name}`, is a variable. */
function canBeVariable(type: TokenType, value: string): boolean {
  if (type === 'TYPE') return value === 'type'
  return type === 'NAME' || keywords.has(type.toLowerCase())
}
