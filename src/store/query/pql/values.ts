import { type ExactJson, exactFloat, exactInteger } from '../../../base/json/exact-json.ts'
import type { Scanner } from './scanner.ts'
import { endings } from './tokens.ts'

const digits = /[0-9]+/y

/** Reads a string in double or single quotes. In single quotes a backslash escapes only a quote. */
export function readString(scanner: Scanner): string | undefined {
  return scanner.attempt(() => {
    const quote = scanner.match(/["']/y, 'a string')
    if (quote === undefined) return undefined
    const inner = scanner.read(quote === '"' ? endings.inDoubleQuotes : endings.inSingleQuotes, quote)
    if (inner === undefined || !scanner.takes(quote)) return undefined
    return quote === '"' ? jsonString(scanner, `"${inner}"`) : inner.replaceAll("\\'", "'")
  })
}

/** Reads a 64-bit integer. */
export function readInteger(scanner: Scanner): number | bigint | undefined {
  const whole = readDigits(scanner)
  return whole === undefined ? undefined : integer(scanner, whole)
}

function integer(scanner: Scanner, digits: string): number | bigint {
  if (digits.length > 400 || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits))
    return scanner.complain(`For input string: "${digits}"`, 0)
  return exactInteger(digits)
}

/** Reads a number: a fraction or an integer. */
export function readNumber(scanner: Scanner): ExactJson | undefined {
  const whole = readDigits(scanner)
  if (whole === undefined) return undefined
  const fraction = readPart(scanner, /\./y, '.')
  if (fraction === undefined) return integer(scanner, whole)
  return exactFloat(Number(`${whole}${fraction}${readPart(scanner, /[Ee][-+]?/y, 'e') ?? ''}`))
}

/** Reads digits with an optional minus sign. */
function readDigits(scanner: Scanner): string | undefined {
  return scanner.attempt(() => {
    const sign = scanner.sees('-') && scanner.takes('-') ? '-' : ''
    const found = scanner.match(digits, sign ? 'a digit' : 'a number')
    return found && `${sign}${found}`
  })
}

/** Reads digits after a prefix. */
function readPart(scanner: Scanner, prefix: RegExp, token: string): string | undefined {
  return scanner.attempt(() => {
    const found = scanner.match(prefix, token)
    const rest = found === undefined ? undefined : scanner.match(digits, 'a digit')
    return rest && `${found}${rest}`
  })
}

const control = /[\x00-\x1f]/g

/**
 * Parses a JSON string, which may contain raw control characters. For an invalid escape, records
 * the error message of PuppetDB's JSON parser.
 */
function jsonString(scanner: Scanner, quoted: string): string {
  const wrong = quoted.includes('\\') ? wrongEscape(quoted) : undefined
  if (wrong !== undefined) return scanner.complain(wrong, '')
  return JSON.parse(quoted.replace(control, (char) => JSON.stringify(char).slice(1, -1))) as string
}

const rightEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The error message for the first invalid JSON escape. */
function wrongEscape(quoted: string): string | undefined {
  for (let at = quoted.indexOf('\\'); at !== -1; at = quoted.indexOf('\\', rightEscape.lastIndex)) {
    rightEscape.lastIndex = at
    if (rightEscape.test(quoted)) continue
    if (quoted[at + 1] !== 'u') return `Unrecognized character escape ${placed(quoted, at + 1)}`
    let digit = at + 2
    while (/[0-9a-fA-F]/.test(quoted[digit]!)) digit++
    const [name, place] = placed(quoted, digit).split('\n')
    return `Unexpected character (${name}): expected a hex-digit for character escape sequence\n${place}`
  }
  return undefined
}

/** Formats a character and its position as Jackson does. */
function placed(quoted: string, at: number): string {
  const char = quoted.charCodeAt(at)
  const name = char < 0x20 ? `(CTRL-CHAR, code ${char})` : `'${quoted[at]}' (code ${char})`
  const before = quoted.slice(0, at).split(/\r\n|\n|\r/)
  return `${name}\n at [Source: (StringReader); line: ${before.length}, column: ${before.at(-1)!.length + 2}]`
}
