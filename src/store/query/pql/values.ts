import { type ExactJson, exactFloat, exactInteger } from '../../../base/json/exact-json.ts'
import type { Scanner } from './scanner.ts'

const doubleQuoted = /"(?:[^"\\]|\\[^\n\r\u0085\u2028\u2029])*"/y
const singleQuoted = /'(?:[^'\\]|\\[^\n\r\u0085\u2028\u2029])*'/y
const realNumber = /-?[0-9]+\.[0-9]+(?:[Ee][-+]?[0-9]+)?/y
const wholeNumber = /-?[0-9]+/y

/** Reads a string in quotes of either kind. In single ones a backslash only stands before a quote. */
export function readString(scanner: Scanner): string | undefined {
  const double = scanner.match(doubleQuoted)
  if (double !== undefined) return jsonString(scanner, double)
  return scanner.match(singleQuoted)?.slice(1, -1).replaceAll("\\'", "'")
}

/** Reads an integer of 64 bits. */
export function readInteger(scanner: Scanner): number | bigint | undefined {
  const digits = scanner.match(wholeNumber)
  if (digits === undefined) return undefined
  if (digits.length > 400 || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits))
    return scanner.complain(`For input string: "${digits}"`, 0)
  return exactInteger(digits)
}

/** Reads a number: one with a fraction, else an integer. */
export function readNumber(scanner: Scanner): ExactJson | undefined {
  const real = scanner.match(realNumber)
  return real === undefined ? readInteger(scanner) : exactFloat(Number(real))
}

const control = /[\x00-\x1f]/g

/** The value of a JSON string, which may have control characters as they are; or what PuppetDB's reader of JSON says of it. */
function jsonString(scanner: Scanner, quoted: string): string {
  const wrong = quoted.includes('\\') ? wrongEscape(quoted) : undefined
  if (wrong !== undefined) return scanner.complain(wrong, '')
  return JSON.parse(quoted.replace(control, (char) => JSON.stringify(char).slice(1, -1))) as string
}

const rightEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The complaint about the first escape that JSON does not have. */
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

/** A character and its place, as Jackson names them. */
function placed(quoted: string, at: number): string {
  const char = quoted.charCodeAt(at)
  const name = char < 0x20 ? `(CTRL-CHAR, code ${char})` : `'${quoted[at]}' (code ${char})`
  const before = quoted.slice(0, at).split(/\r\n|\n|\r/)
  return `${name}\n at [Source: (StringReader); line: ${before.length}, column: ${before.at(-1)!.length + 2}]`
}
