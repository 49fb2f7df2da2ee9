/**
 * Named character classes, such as `[[:alpha:]]`. In RE2 they contain ASCII characters, in
 * PostgreSQL Unicode characters.
 */
const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '\\p{Nd}',
  alnum: '\\p{L}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s\\x{0B}',
  blank: ' \\t',
  punct: '!-/:-@\\[-`{-~',
  cntrl: '\\x00-\\x1F\\x7F',
  xdigit: '0-9A-Fa-f',
  graph: '!-~\\x{A1}-\\x{10FFFF}',
  print: ' -~\\x{A0}-\\x{10FFFF}',
  word: '\\w',
  ascii: '\\x00-\\x7F',
}

/** Escapes outside of brackets that RE2 does not support or interprets differently. */
const escapes: Readonly<Record<string, string>> = {
  y: '\\b',
  // Start and end of a word; the neighboring characters determine if it is a start or an end.
  m: '\\b',
  M: '\\b',
  Y: '\\B',
  Z: '\\z',
  b: '\\x08',
  e: '\\x1B',
  B: '\\\\',
}

/**
 * Converts a PostgreSQL regular expression (ARE) to RE2 syntax. Features that RE2 lacks
 * (lookaround, backreferences) are not converted, so that RE2 rejects them.
 */
export function toRe2Pattern(pattern: string): string {
  const { flags, rest, isLiteral } = parseDirector(pattern)
  if (isLiteral) return `(?s${flags})\\Q${rest.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`
  let text = ''
  for (let at = 0; at < rest.length; ) {
    const { piece, end } =
      rest[at] === '\\'
        ? convertEscape(rest, at)
        : rest[at] === '['
          ? convertBracket(rest, at)
          : convertCharacter(rest, at)
    text += piece
    at = end
  }
  return `(?s${flags})${text}`
}

interface Piece {
  readonly piece: string
  readonly end: number
}

function convertCharacter(text: string, at: number): Piece {
  return { piece: text[at]!, end: at + 1 }
}

/** Parses a prefix such as `***:`, `***=` or `(?i)` at the start of a pattern. */
function parseDirector(pattern: string): { flags: string; rest: string; isLiteral: boolean } {
  if (pattern.startsWith('***=')) return { flags: '', rest: pattern.slice(4), isLiteral: true }
  const text = pattern.startsWith('***:') ? pattern.slice(4) : pattern
  const options = /^\(\?([bceimnpqstwx]+)\)/.exec(text)
  if (!options) return { flags: '', rest: text, isLiteral: false }
  const [all, letters = ''] = options
  const ignoresCase = letters.lastIndexOf('i') > letters.lastIndexOf('c')
  return { flags: ignoresCase ? 'i' : '', rest: text.slice(all.length), isLiteral: letters.includes('q') }
}

function convertEscape(text: string, at: number): Piece {
  const letter = text[at + 1] ?? ''
  const control = letter === 'c' ? text[at + 2] : undefined
  if (control !== undefined) return { piece: formatHexEscape(control.charCodeAt(0) & 31), end: at + 3 }
  const code = /^\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(text.slice(at, at + 10))
  if (code) return { piece: formatHexEscape(Number.parseInt(code[1] ?? code[2]!, 16)), end: at + code[0].length }
  return { piece: escapes[letter] ?? `\\${letter}`, end: at + 2 }
}

function formatHexEscape(code: number): string {
  return `\\x{${code.toString(16)}}`
}

/**
 * Converts a bracket expression `[…]`: writes out named classes and escapes inner brackets.
 * `[[:<:]]` is the start of a word.
 */
function convertBracket(text: string, from: number): Piece {
  const edge = /^\[\[:[<>]:\]\]/.exec(text.slice(from, from + 7))
  if (edge) return { piece: '\\b', end: from + edge[0].length }
  let piece = '['
  let at = from + 1
  if (text[at] === '^') {
    piece += '^'
    at++
  }
  for (let isFirst = true; at < text.length; isFirst = false) {
    const rest = text.slice(at, at + 12)
    const name = /^\[:(\w{1,9}):\]/.exec(rest)
    const element = /^\[([.=])(.)\1\]/su.exec(rest)
    if (name && classes[name[1]!] !== undefined) {
      piece += classes[name[1]!]
      at += name[0].length
    } else if (element) {
      piece += element[2]!.replace(/[\\\][^&-]/g, '\\$&')
      at += element[0].length
    } else if (text[at] === ']' && !isFirst) return { piece: `${piece}]`, end: at + 1 }
    else if (text[at] === '\\') {
      const escaped = convertBracketCharacter(text, at)
      piece += escaped.piece
      at = escaped.end
    } else {
      piece += text[at] === '[' || text[at] === ']' || text[at] === '&' ? `\\${text[at]}` : text[at]
      at++
    }
  }
  return { piece, end: at }
}

function convertBracketCharacter(text: string, at: number): Piece {
  return /[dswDSW]/.test(text[at + 1] ?? '') ? { piece: text.slice(at, at + 2), end: at + 2 } : convertEscape(text, at)
}
