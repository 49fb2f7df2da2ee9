import { bytesFromText, textFromBytes } from '../../base/text/byte-text.ts'
import { Binary } from '../../language/values/binary.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'

/** Stands for what is not shown. */
export const redacted = '[redacted]'

/** Characters between words: of a command, a setting, an address, and of messages about them. */
const betweenWords = /([\s'"`=,:;@()[\]{}<>|&\\]+)/

/** A shorter part of a secret is a flag or a number that says nothing, and would blacken half of each message. */
const shortestPart = 3

/** A shorter secret is looked for as a whole word only. */
const shortestPiece = 4

/** Longer texts are files; their words are words of the language. Their lines are looked for. */
const maxCommandLength = 4096

/**
 * The Sensitive values of one resource, and text cleared of them. The last line of defence: what makes a message leaves
 * a secret out by itself; this is for words of programs, of the system and of errors, which nobody of us made.
 */
export class Secrets {
  /** As they are, and as quoting and encoding make them. */
  readonly #pieces = new Set<string>()
  readonly #words = new Set<string>()
  readonly #lines = new Set<string>()

  get isEmpty(): boolean {
    return this.#words.size === 0 && this.#pieces.size === 0
  }

  /** Takes in a value, raw or parsed, and all that is in it. */
  add(value: unknown): void {
    if (value instanceof Sensitive) this.add(value.unwrap())
    else if (value instanceof Binary) this.add(value.bytes)
    else if (value instanceof Uint8Array) {
      // Output of programs is text in which bytes are escaped, or one character for each byte.
      this.#addText(textFromBytes(value))
      this.#addText(Buffer.from(value).toString('latin1'))
    } else if (Array.isArray(value)) for (const each of value) this.add(each)
    else if (value instanceof Hash) for (const pair of value) this.add(pair)
    else if (typeof value === 'object' && value !== null) this.#addText(String(value))
    else if (value !== undefined && value !== null) this.#addText(String(value))
  }

  /** The text, with `[redacted]` for each secret, in any of its forms, and for each word of one. */
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
      .map((word) => (this.#words.has(bare(word)) ? redacted : word))
      .join('')
  }

  #addText(text: string): void {
    const whole = text.trim()
    // The value of a function that was given a Sensitive one: what stands for a secret is none.
    if (whole === '' || whole.includes('Sensitive [value redacted]')) return
    if (whole.length < shortestPiece) this.#words.add(whole)
    else if (text.length > maxCommandLength) this.#pieces.add(whole)
    else for (const form of formsOf(text)) this.#pieces.add(form)
    if (text.length > maxCommandLength) {
      for (const line of text.split('\n')) if (line.trim().length >= shortestPiece) this.#lines.add(line.trim())
    } else
      for (const word of text.split(betweenWords)) if (bare(word).length >= shortestPart) this.#words.add(bare(word))
  }
}

/** A word without the end of a sentence. */
function bare(word: string): string {
  let end = word.length
  while (end > 0 && '.!?'.includes(word[end - 1]!)) end -= 1
  return word.slice(0, end)
}

/** A text as messages of ours, of Ruby's, of shells and of the web may show it; the longest first. */
function formsOf(text: string): readonly string[] {
  const encoded = (encoding: 'base64' | 'base64url' | 'hex') => bytesFromText(text).toString(encoding)
  const forms = [
    text,
    text.trim(),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    text.replaceAll("'", "'\\''"),
    text.replaceAll(/[^A-Za-z0-9_\-.,:+/@\n]/g, '\\$&'),
    encodeURIComponent(Buffer.from(text).toString()),
    encoded('base64'),
    bytesFromText(`${text}\n`).toString('base64'),
    encoded('base64url'),
    encoded('hex'),
  ]
  return forms.sort((a, b) => b.length - a.length)
}
