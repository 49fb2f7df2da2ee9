/** Characters that form an escape sequence after a backslash in a double-quoted string. */
export const doubleQuotedEscapes: ReadonlySet<string> = new Set([...'\\$\'"rntsu', '\r\n', '\n'])

const values: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', s: ' ', '\n': '', '\r\n': '' }
const unicodeEscape = /((?:[^\\]|^)(?:\\\\)*)\\u(?:([\da-fA-F]{4})|\{([\da-fA-F]{1,6})\})/gm

/** Callbacks for invalid escape sequences. */
export interface EscapeComplaints {
  /** Reports a backslash before a character with which it forms no escape. */
  unrecognized?(character: string): void
  /** Reports a `\u` without hexadecimal digits. */
  unicode(): void
  /** Throws for a `\u` with a number above the last Unicode code point. */
  outOfRange(): never
}

/** Decodes the escapes of a single-quoted string. */
export function unescapeSingleQuoted(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\'])/g, '$1') : text
}

/**
 * Decodes the given escapes. Decodes `\u` sequences first and repeatedly, so that a decoded character can start another
 * escape. Puppet: slurp_support.rb.
 */
export function unescapeText(text: string, escapes: ReadonlySet<string>, complaints: EscapeComplaints): string {
  if (!text.includes('\\')) return text
  let result = escapes.has('u') ? unescapeUnicode(text, complaints) : text
  result = result.replace(/\\([^\r\n]|\r?\n)/g, (_, character: string) => {
    if (!escapes.has(character)) {
      complaints.unrecognized?.(character)
      return `\\${character}`
    }
    if (character !== 'u') return values[character] ?? character
    complaints.unicode()
    return '\\u'
  })
  return result
}

function unescapeUnicode(text: string, complaints: EscapeComplaints): string {
  let before: string
  let result = text
  do {
    before = result
    result = before.replace(unicodeEscape, (_, lead: string, four: string | undefined, braced: string | undefined) => {
      const code = Number.parseInt(four ?? braced!, 16)
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) complaints.outOfRange()
      return lead + String.fromCodePoint(code)
    })
  } while (result !== before)
  return result
}

/** Characters that end a piece of string text or escape its end. */
export interface TextEnds {
  /** True if a backslash escapes the next character. */
  readonly backslashes: boolean
  readonly dollars: boolean
  readonly quoted: boolean
}

/**
 * Offset where the piece of text that starts at `start` ends: before `$`, a quote or the end of the
 * source.
 */
export function findTextEnd(text: string, start: number, { backslashes, dollars, quoted }: TextEnds): number {
  for (let end = start; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 92 && backslashes) end++
    else if ((code === 34 && quoted) || (code === 36 && dollars)) return end
  }
  return text.length
}
