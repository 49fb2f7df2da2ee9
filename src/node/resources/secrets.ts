import { decodeLosslessUtf8, encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { Binary } from '../../language/values/binary.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'

/** Replacement text for sensitive values. */
export const redacted = '[redacted]'

/** Characters that separate words in commands, settings, addresses and messages. */
const betweenWords = /([\s'"`=,:;@()[\]{}<>|&\\]+)/

/**
 * Minimum length of a secret's part in characters. Shorter parts, such as flags or numbers, are
 * common and reveal nothing.
 */
const shortestPart = 3

/** A secret shorter than this is only matched as a whole word. */
const shortestPiece = 4

/**
 * Maximum length of a command in characters. Longer secrets are file contents, which are matched by
 * lines, because their words are common.
 */
const maxCommandLength = 4096

/**
 * The Sensitive values of one resource, which this class removes from text. The messages of this
 * program are written without secrets; this class protects the output of programs, and errors.
 */
export class Secrets {
  /** The values themselves, and their quoted and encoded forms. */
  readonly #pieces = new Set<string>()
  readonly #words = new Set<string>()
  readonly #lines = new Set<string>()

  get isEmpty(): boolean {
    return this.#words.size === 0 && this.#pieces.size === 0
  }

  /** Adds a value, raw or parsed, with all values inside it. */
  add(value: unknown): void {
    if (value instanceof Sensitive) this.add(value.unwrap())
    else if (value instanceof Binary) this.add(value.bytes)
    else if (value instanceof Uint8Array) {
      // Programs' output is text with escaped bytes, or with one character per byte.
      this.#addText(decodeLosslessUtf8(value))
      this.#addText(Buffer.from(value).toString('latin1'))
    } else if (Array.isArray(value)) for (const each of value) this.add(each)
    else if (value instanceof Hash) for (const pair of value) this.add(pair)
    else if (typeof value === 'object' && value !== null) this.#addText(String(value))
    else if (value !== undefined && value !== null) this.#addText(String(value))
  }

  /** Replaces each secret, in any form, and each word of a secret with `[redacted]`. */
  clear(text: string): string {
    if (this.isEmpty) return text
    let cleared = text
    for (const piece of this.#pieces) if (piece.length <= cleared.length) cleared = cleared.replaceAll(piece, redacted)
    if (this.#lines.size > 0)
      cleared = cleared
        .split('\n')
        .map((line) => (this.#lines.has(line.trim()) ? redacted : line))
        .join('\n')
    return cleared
      .split(betweenWords)
      .map((word) => (this.#words.has(stripPunctuation(word)) ? redacted : word))
      .join('')
  }

  #addText(text: string): void {
    const whole = text.trim()
    // A placeholder for a Sensitive value is not a secret; a function that received such a value
    // can return one.
    if (whole === '' || whole.includes('Sensitive [value redacted]')) return
    if (whole.length < shortestPiece) this.#words.add(whole)
    else if (text.length > maxCommandLength) this.#pieces.add(whole)
    else for (const form of listTextForms(text)) this.#pieces.add(form)
    if (text.length > maxCommandLength) {
      for (const line of text.split('\n')) if (line.trim().length >= shortestPiece) this.#lines.add(line.trim())
    } else
      for (const word of text.split(betweenWords))
        if (stripPunctuation(word).length >= shortestPart) this.#words.add(stripPunctuation(word))
  }
}

/** A word without punctuation at its end. */
function stripPunctuation(word: string): string {
  let end = word.length
  while (end > 0 && '.!?'.includes(word[end - 1]!)) end -= 1
  return word.slice(0, end)
}

/** Forms of a text in messages of this program, Ruby, shells and the web; the longest first. */
function listTextForms(text: string): readonly string[] {
  const encode = (encoding: 'base64' | 'base64url' | 'hex') => encodeLosslessUtf8(text).toString(encoding)
  const forms = [
    text,
    text.trim(),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    text.replaceAll("'", "'\\''"),
    text.replaceAll(/[^A-Za-z0-9_\-.,:+/@\n]/g, '\\$&'),
    encodeURIComponent(Buffer.from(text).toString()),
    encode('base64'),
    encodeLosslessUtf8(`${text}\n`).toString('base64'),
    encode('base64url'),
    encode('hex'),
  ]
  return forms.sort((a, b) => b.length - a.length)
}
