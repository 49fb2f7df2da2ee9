import { createExactFloat, type ExactJson, parseExactInteger } from '../../../base/json/exact-json.ts'
import type { PqlScanner } from './scanner.ts'
import { tokenMatchers } from './tokens.ts'

const digits = /[0-9]+/y

/** Reads a string in double or single quotes. In single quotes a backslash escapes only a quote. */
export function readString(scanner: PqlScanner): string | undefined {
  return scanner.attempt(() => {
    const quote = scanner.match(/["']/y, 'a string')
    if (quote === undefined) return undefined
    const inner = scanner.read(quote === '"' ? tokenMatchers.inDoubleQuotes : tokenMatchers.inSingleQuotes, quote)
    if (inner === undefined || !scanner.takes(quote)) return undefined
    return quote === '"' ? parseJsonString(scanner, `"${inner}"`) : inner.replaceAll("\\'", "'")
  })
}

/** Reads a 64-bit integer. */
export function readInteger(scanner: PqlScanner): number | bigint | undefined {
  const whole = readDigits(scanner)
  return whole === undefined ? undefined : checkInteger(scanner, whole)
}

function checkInteger(scanner: PqlScanner, digits: string): number | bigint {
  if (digits.length > 400 || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits))
    return scanner.complain(`For input string: "${digits}"`, 0)
  return parseExactInteger(digits)
}

/** Reads a number: a fraction or an integer. */
export function readPqlNumber(scanner: PqlScanner): ExactJson | undefined {
  const whole = readDigits(scanner)
  if (whole === undefined) return undefined
  const fraction = readPart(scanner, /\./y, '.')
  if (fraction === undefined) return checkInteger(scanner, whole)
  return createExactFloat(Number(`${whole}${fraction}${readPart(scanner, /[Ee][-+]?/y, 'e') ?? ''}`))
}

/** Reads digits with an optional minus sign. */
function readDigits(scanner: PqlScanner): string | undefined {
  return scanner.attempt(() => {
    const sign = scanner.sees('-') && scanner.takes('-') ? '-' : ''
    const found = scanner.match(digits, sign ? 'a digit' : 'a number')
    return found && `${sign}${found}`
  })
}

/** Reads digits after a prefix. */
function readPart(scanner: PqlScanner, prefix: RegExp, token: string): string | undefined {
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
function parseJsonString(scanner: PqlScanner, quoted: string): string {
  const wrong = quoted.includes('\\') ? describeInvalidEscape(quoted) : undefined
  if (wrong !== undefined) return scanner.complain(wrong, '')
  return JSON.parse(quoted.replace(control, (char) => JSON.stringify(char).slice(1, -1))) as string
}

const rightEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The error message for the first invalid JSON escape. */
function describeInvalidEscape(quoted: string): string | undefined {
  for (let at = quoted.indexOf('\\'); at !== -1; at = quoted.indexOf('\\', rightEscape.lastIndex)) {
    rightEscape.lastIndex = at
    if (rightEscape.test(quoted)) continue
    if (quoted[at + 1] !== 'u') return `Unrecognized character escape ${formatCharacterPosition(quoted, at + 1)}`
    let digit = at + 2
    while (/[0-9a-fA-F]/.test(quoted[digit]!)) digit++
    const [name, place] = formatCharacterPosition(quoted, digit).split('\n')
    return `Unexpected character (${name}): expected a hex-digit for character escape sequence\n${place}`
  }
  return undefined
}

/** Formats a character and its position as Jackson does. */
function formatCharacterPosition(quoted: string, at: number): string {
  const char = quoted.charCodeAt(at)
  const name = char < 0x20 ? `(CTRL-CHAR, code ${char})` : `'${quoted[at]}' (code ${char})`
  const before = quoted.slice(0, at).split(/\r\n|\n|\r/)
  return `${name}\n at [Source: (StringReader); line: ${before.length}, column: ${before.at(-1)!.length + 2}]`
}
