import { isWord } from './characters.ts'
import { findHeredocEnd, type HeredocTag } from './heredoc-tag.ts'

/** A part of a string: text, an interpolation, a variable without braces, or the end of a heredoc. */
export interface Segment {
  readonly kind: 'text' | 'interpolation' | 'variable' | 'end'
  readonly text: string
}

/** The parts of a string, and the offset after it. Without parts, the string has no end. */
export interface SegmentedString {
  readonly segments: readonly Segment[]
  readonly end: number
}

const dollar = 0x24
const backslash = 0x5c
const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const lineFeed = 0x0a

/** State of the reader of a string, shared by double-quoted strings and heredocs. */
class SegmentReader {
  readonly text: string
  readonly segments: Segment[] = []
  at: number
  depth = 0
  #start: number
  /** Text of the current part before `#start`. */
  #prefix = ''

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
    this.#start = at
  }

  /** Reads an interpolation's `${`, `{` or `}`; false if there is none here. */
  readBrace(): boolean {
    const code = this.text.charCodeAt(this.at)
    if (code === dollar && this.text.charCodeAt(this.at + 1) === openBrace) this.#openInterpolation()
    else if (code === openBrace && this.depth > 0) {
      this.depth++
      this.at++
    } else if (code === closeBrace) this.#closeBrace()
    else return false
    return true
  }

  /** Reads a variable without braces, such as `$name`, if it begins here or after this character. */
  readVariable(): boolean {
    const { text } = this
    if (this.depth > 0 || this.#isAfterBackslash()) return false
    const code = text.charCodeAt(this.at)
    const isHere = code === dollar && startsVariable(text, this.at + 1)
    const isNext =
      !isHere && code !== backslash && text.charCodeAt(this.at + 1) === dollar && startsVariable(text, this.at + 2)
    if (!isHere && !isNext) return false
    // puppet-lint makes a line break the beginning of the variable's name.
    if (isNext && code !== lineFeed) this.at++
    this.push('text')
    this.at = endOfVariable(text, this.at + (text.charCodeAt(this.at) === dollar ? 1 : 2))
    this.push('variable')
    return true
  }

  /** Ends the current part. */
  push(kind: Segment['kind']): void {
    this.segments.push({ kind, text: this.#prefix + this.text.slice(this.#start, this.at) })
    this.#prefix = ''
    this.#start = this.at
  }

  /** Continues the current part after text that belongs to another one. */
  skipTo(at: number): void {
    this.#prefix += this.text.slice(this.#start, this.at)
    this.at = at
    this.#start = at
  }

  /** Omits the next characters, which belong to no part. */
  omit(count: number): void {
    this.at += count
    this.#start = this.at
  }

  #isAfterBackslash(): boolean {
    if (this.at === this.#start) return this.#prefix.endsWith('\\')
    return this.text.charCodeAt(this.at - 1) === backslash
  }

  #openInterpolation(): void {
    if (this.#isAfterBackslash()) {
      this.at++
      return
    }
    if (this.depth === 0) {
      this.push('text')
      this.omit(2)
    } else this.at += 2
    this.depth++
  }

  #closeBrace(): void {
    if (this.depth === 1) {
      this.push('interpolation')
      this.omit(1)
    } else this.at++
    if (this.depth > 0) this.depth--
  }
}

/** Reads a double-quoted string whose first character is at the offset. */
export function readQuotedString(text: string, start: number): SegmentedString {
  const reader = new SegmentReader(text, start)
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at)
    if (!isSpecial(code) && !isSpecial(text.charCodeAt(reader.at + 1))) {
      special.lastIndex = reader.at + 1
      reader.at = special.test(text) ? special.lastIndex - 2 : text.length
      continue
    }
    if (reader.readBrace() || reader.readVariable()) continue
    const runStart = code === backslash ? reader.at : reader.at + 1
    const runEnd = endOfBackslashes(text, runStart)
    const isQuoted = text.charCodeAt(runEnd) === quote
    if (code === quote || (isQuoted && (runEnd - runStart) % 2 === 0)) {
      reader.at = code === quote ? reader.at : runEnd
      if (reader.depth === 0) {
        reader.push('text')
        return { segments: reader.segments, end: reader.at + 1 }
      }
      reader.at++
    } else if (code === backslash) reader.at = isQuoted ? runEnd + 1 : runEnd
    else reader.at++
  }
  return { segments: reader.segments, end: text.length }
}

/** Reads the text of a heredoc that begins at the offset. */
export function readHeredoc(text: string, start: number, { name, interpolates }: HeredocTag): SegmentedString {
  const reader = new SegmentReader(text, start)
  let ending = findHeredocEnd(text, start, name)
  while (reader.at < text.length) {
    if (ending && reader.at > ending.end - name.length) ending = findHeredocEnd(text, reader.at, name)
    if (ending && reader.at >= ending.start) {
      if (reader.depth === 0) {
        reader.push('text')
        reader.at = ending.end
        reader.push('end')
        return { segments: reader.segments, end: ending.end }
      }
      reader.skipTo(ending.end)
    } else if (!interpolates) reader.at = ending?.start ?? text.length
    else if (!reader.readBrace() && !reader.readVariable()) reader.at++
  }
  return { segments: reader.segments, end: text.length }
}

const special = /[$\\"{}]/g

/** True for a character that may begin or end something, here or with the character before it. */
function isSpecial(code: number): boolean {
  return code === dollar || code === backslash || code === quote || code === openBrace || code === closeBrace
}

function endOfBackslashes(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) === backslash) end++
  return end
}

/** True if a name of a variable begins at the offset. */
export function startsVariable(text: string, at: number): boolean {
  return isWord(text.charCodeAt(at)) || (text.startsWith('::', at) && isWord(text.charCodeAt(at + 2)))
}

/** The offset after the qualified name of a variable; dashes within words belong to the name. */
export function endOfVariable(text: string, start: number): number {
  let at = text.startsWith('::', start) ? start + 2 : start
  for (;;) {
    at = endOfDashedWord(text, at)
    if (!text.startsWith('::', at) || !isWord(text.charCodeAt(at + 2))) return at
    at += 2
  }
}

function endOfDashedWord(text: string, start: number): number {
  let at = start
  for (;;) {
    while (isWord(text.charCodeAt(at))) at++
    if (text[at] !== '-' || !isWord(text.charCodeAt(at + 1))) return at
    at++
  }
}
