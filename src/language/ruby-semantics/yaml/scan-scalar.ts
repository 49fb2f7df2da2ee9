import type { Mark, YamlCursor } from './cursor.ts'
import type { YamlToken } from './token.ts'
import { createYamlError } from './yaml-error.ts'

/** Folds lines: a single line break becomes a space, n line breaks become n - 1. */
class Folding {
  #whitespace = ''
  #first = ''
  #more = ''
  broken = false

  blank(character: string): void {
    if (!this.broken) this.#whitespace += character
  }

  break(lineBreak: string): void {
    if (this.broken) this.#more += lineBreak
    else this.#first = lineBreak
    this.broken = true
  }

  /** Skips a line break escaped by a backslash. */
  escapedBreak(): void {
    this.broken = true
  }

  /** Returns the folded white space and resets it. */
  take(): string {
    const between = this.broken ? this.#folded() : this.#whitespace
    this.#whitespace = this.#first = this.#more = ''
    this.broken = false
    return between
  }

  #folded(): string {
    if (this.#first !== '\n') return this.#first + this.#more
    return this.#more === '' ? ' ' : this.#more
  }
}

/** Reads an unquoted scalar. `ended` is true if a line break follows the scalar. */
export function scanPlain(cursor: YamlCursor, indent: number, inFlow: boolean): { token: YamlToken; ended: boolean } {
  const mark = cursor.mark
  const context = 'while scanning a plain scalar'
  const folding = new Folding()
  let value = ''
  while (!cursor.isDocumentIndicator() && cursor.at() !== '#') {
    while (!cursor.isBlankOrEnd()) {
      if (inFlow && cursor.at() === ':' && /[,?[\]{}]/.test(cursor.at(1)))
        throw createYamlError("found unexpected ':'", context, mark, cursor.mark)
      if ((cursor.at() === ':' && cursor.isBlankOrEnd(1)) || (inFlow && /[,[\]{}]/.test(cursor.at()))) break
      value += folding.take() + cursor.take()
    }
    if (!cursor.isBlank() && !cursor.isBreak()) break
    while (cursor.isBlank() || cursor.isBreak()) {
      if (folding.broken && cursor.column < indent && cursor.at() === '\t')
        throw createYamlError('found a tab character that violates indentation', context, mark, cursor.mark)
      if (cursor.isBlank()) folding.blank(cursor.take())
      else folding.break(cursor.takeBreak())
    }
    if (!inFlow && cursor.column < indent) break
  }
  return { token: { kind: 'scalar', mark, value, plain: true }, ended: folding.broken }
}

/** Reads a quoted scalar. */
export function scanQuoted(cursor: YamlCursor): YamlToken {
  const mark = cursor.mark
  const context = 'while scanning a quoted scalar'
  const quote = cursor.take()
  const folding = new Folding()
  let value = ''
  for (;;) {
    if (cursor.isDocumentIndicator())
      throw createYamlError('found unexpected document indicator', context, mark, cursor.mark)
    if (cursor.isEnd()) throw createYamlError('found unexpected end of stream', context, mark)
    while (!cursor.isBlankOrEnd()) {
      if (quote === "'" && cursor.at() === "'" && cursor.at(1) === "'") value += cursor.take(2)[0]
      else if (cursor.at() === quote) break
      else if (quote === '"' && cursor.at() === '\\' && cursor.isBreak(1)) {
        cursor.take()
        cursor.takeBreak()
        folding.escapedBreak()
        break
      } else value += quote === '"' && cursor.at() === '\\' ? scanEscape(cursor, mark) : cursor.take()
    }
    if (cursor.at() === quote) break
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBlank()) folding.blank(cursor.take())
      else folding.break(cursor.takeBreak())
    }
    value += folding.take()
  }
  cursor.take()
  return { kind: 'scalar', mark, value, plain: false }
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

function scanEscape(cursor: YamlCursor, start: Mark): string {
  const context = 'while parsing a quoted scalar'
  const letter = cursor.at(1)
  const digits = Object.hasOwn(hexDigits, letter) ? hexDigits[letter]! : undefined
  if (digits === undefined) {
    if (!Object.hasOwn(escapes, letter))
      throw createYamlError('found unknown escape character', context, start, cursor.mark)
    cursor.take(2)
    return escapes[letter]!
  }
  cursor.take(2)
  const hex = Array.from({ length: digits }, (_, distance) => cursor.at(distance)).join('')
  if (!/^[0-9a-fA-F]+$/.test(hex))
    throw createYamlError('did not find expected hexdecimal number', context, start, cursor.mark)
  const code = Number.parseInt(hex, 16)
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    throw createYamlError('found invalid Unicode character escape code', context, start, cursor.mark)
  cursor.take(digits)
  return String.fromCodePoint(code)
}

const blockContext = 'while scanning a block scalar'

/** Reads a block scalar after `|` or `>`. */
export function scanBlockScalar(cursor: YamlCursor, parentIndent: number): YamlToken {
  const mark = cursor.mark
  const literal = cursor.take() === '|'
  const { chomping, increment } = scanBlockHeader(cursor, mark)
  let indent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0
  let value = ''
  let lineBreak = ''
  let leadingBlank = false
  let breaks: string
  ;({ breaks, indent } = scanBlockBreaks(cursor, indent, parentIndent, mark))
  while (cursor.column === indent && !cursor.isEnd()) {
    const trailingBlank = cursor.isBlank()
    const folds = !literal && lineBreak === '\n' && !leadingBlank && !trailingBlank
    value += (folds ? (breaks === '' ? ' ' : '') : lineBreak) + breaks
    leadingBlank = trailingBlank
    value += cursor.takeLine()
    lineBreak = cursor.takeBreak()
    ;({ breaks } = scanBlockBreaks(cursor, indent, parentIndent, mark))
  }
  if (chomping !== '-') value += lineBreak
  if (chomping === '+') value += breaks
  return { kind: 'scalar', mark, value, plain: false }
}

function scanBlockHeader(cursor: YamlCursor, start: Mark): { chomping: string; increment: number } {
  let chomping = ''
  let increment = 0
  for (let each = 0; each < 2; each++) {
    if (chomping === '' && /[-+]/.test(cursor.at())) chomping = cursor.take()
    else if (increment === 0 && /\d/.test(cursor.at())) {
      if (cursor.at() === '0')
        throw createYamlError('found an indentation indicator equal to 0', blockContext, start, cursor.mark)
      increment = Number(cursor.take())
    }
  }
  if (!cursor.skipToLineEnd())
    throw createYamlError('did not find expected comment or line break', blockContext, start, cursor.mark)
  cursor.takeBreak()
  return { chomping, increment }
}

/** Reads indentation and empty lines. If `indent` is missing, the line with the deepest indentation determines it. */
function scanBlockBreaks(
  cursor: YamlCursor,
  given: number,
  parentIndent: number,
  start: Mark,
): { breaks: string; indent: number } {
  let breaks = ''
  let deepest = 0
  const isIndentation = () => given === 0 || cursor.column < given
  for (;;) {
    while (isIndentation() && cursor.at() === ' ') cursor.take()
    deepest = Math.max(deepest, cursor.column)
    if (isIndentation() && cursor.at() === '\t')
      throw createYamlError(
        'found a tab character where an indentation space is expected',
        blockContext,
        start,
        cursor.mark,
      )
    if (!cursor.isBreak()) break
    breaks += cursor.takeBreak()
  }
  return { breaks, indent: given === 0 ? Math.max(deepest, parentIndent + 1, 1) : given }
}
