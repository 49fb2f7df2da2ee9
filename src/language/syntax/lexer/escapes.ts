/** The characters that a backslash may stand before in a double-quoted string. */
export const doubleQuotedEscapes: ReadonlySet<string> = new Set([...'\\$\'"rntsu', '\r\n', '\n'])

const values: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', s: ' ', '\n': '', '\r\n': '' }
const unicodeEscape = /((?:[^\\]|^)(?:\\\\)*)\\u(?:([\da-fA-F]{4})|\{([\da-fA-F]{1,6})\})/gm

/** The complaints about a backslash. */
export interface EscapeComplaints {
  /** `\` before a character that needs none. */
  unrecognized?(character: string): void
  /** `\u` without digits. */
  unicode(): void
  /** `\u` with digits that name no character. */
  outOfRange(): never
}

/** The text that a single-quoted string means. */
export function unescapeSingleQuoted(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\'])/g, '$1') : text
}

/**
 * The text that a string means in which `escapes` may follow a backslash. Unicode comes first, again and again, so that
 * what it yields can itself be an escape (Puppet: slurp_support.rb).
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

/** The characters that end a piece of text, or hide its end. */
export interface TextEnds {
  /** True where a backslash takes the next character with it. */
  readonly backslashes: boolean
  readonly dollars: boolean
  readonly quoted: boolean
}

/** The end of the piece of text that begins at `start`: before a `$` or a quote, or at the end of the source. */
export function endOfText(text: string, start: number, { backslashes, dollars, quoted }: TextEnds): number {
  for (let end = start; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 92 && backslashes) end++
    else if ((code === 34 && quoted) || (code === 36 && dollars)) return end
  }
  return text.length
}
