import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { throwArgumentError } from '../argument-error.ts'

/** One `%` directive of Ruby's `format`. */
export interface Directive {
  readonly flags: string
  readonly width: number | undefined
  readonly precision: number | undefined
  readonly letter: string
  /** A delimiter for collections, which Puppet accepts and Ruby rejects. */
  readonly delimiter?: string | undefined
}

/** Formats an integer by `%d`, `%x`, `%X`, `%o`, `%b` or `%B`. */
export function formatInteger(directive: Directive, value: number | bigint): string {
  checkFlags(directive)
  const { flags, width, precision, letter } = directive
  const base = bases[letter.toLowerCase()] ?? throwArgumentError(`malformed format string - %${letter}`)
  const whole = BigInt(value)
  const signed = /[+ ]/.test(flags) || base.radix === 10
  let digits =
    signed || whole >= 0n ? (whole < 0n ? -whole : whole).toString(base.radix) : formatComplement(whole, base)
  if (letter === 'X') digits = digits.toUpperCase()
  if (precision !== undefined) digits = digits.padStart(precision, '0')
  const prefix = flags.includes('#') && whole !== 0n ? getPrefix(letter) : ''
  return padDigits(getSign(whole < 0n && signed, flags), prefix, digits, flags, width, precision === undefined)
}

/** Formats a float by `%e`, `%f`, `%g` or `%a`, in either case. */
export function formatFloat(directive: Directive, value: number): string {
  checkFlags(directive)
  const { flags, width, precision, letter } = directive
  const size = Math.abs(value)
  const negative = value < 0 || Object.is(value, -0)
  if (!Number.isFinite(value)) {
    const text = Number.isNaN(value) ? 'NaN' : 'Inf'
    return padDigits(getSign(negative, flags), '', text, flags.replace('0', ''), width, false)
  }
  const hexadecimal = letter.toLowerCase() === 'a'
  let text = hexadecimal
    ? formatHexFloat(size, precision)
    : formatDecimal(letter.toLowerCase(), size, precision ?? 6, flags.includes('#'))
  if (letter !== letter.toLowerCase()) text = text.toUpperCase()
  const prefix = hexadecimal ? text.slice(0, 2) : ''
  return padDigits(getSign(negative, flags), prefix, text.slice(prefix.length), flags, width, true)
}

/** Formats a string by `%s`: truncates to the precision, pads to the width. */
export function formatText(directive: Directive, text: string): string {
  checkFlags(directive)
  const { flags, width = 0, precision } = directive
  const characters = [...text]
  const cut = precision === undefined ? characters : characters.slice(0, precision)
  const blank = ' '.repeat(Math.max(0, width - cut.length))
  return flags.includes('-') ? cut.join('') + blank : blank + cut.join('')
}

/** Rejects Puppet's delimiters for collections with Ruby's error; Ruby reads two of them as the start of a name. */
function checkFlags({ delimiter }: Directive): void {
  if (delimiter === undefined) return
  throwArgumentError(
    /[{<]/.test(delimiter) ? 'malformed name - unmatched parenthesis' : `malformed format string - %${delimiter}`,
  )
}

interface Base {
  readonly radix: number
  readonly highest: string
}

const bases: Readonly<Record<string, Base>> = {
  d: { radix: 10, highest: '9' },
  x: { radix: 16, highest: 'f' },
  o: { radix: 8, highest: '7' },
  b: { radix: 2, highest: '1' },
}

function getPrefix(letter: string): string {
  if (letter === 'o') return '0'
  return letter === 'd' ? '' : `0${letter}`
}

/** Formats a negative number in another base as Ruby does: `..f01` for -255. */
function formatComplement(value: bigint, { radix, highest }: Base): string {
  let modulus = BigInt(radix)
  while (modulus < -value) modulus *= BigInt(radix)
  const digits = (value + modulus).toString(radix).padStart(modulus.toString(radix).length - 1, '0')
  return `..${digits.startsWith(highest) ? digits.replace(new RegExp(`^${highest}+`), highest) : highest + digits}`
}

function getSign(negative: boolean, flags: string): string {
  if (negative) return '-'
  if (flags.includes('+')) return '+'
  return flags.includes(' ') ? ' ' : ''
}

function padDigits(sign: string, prefix: string, digits: string, flags: string, width = 0, zeros: boolean): string {
  const missing = Math.max(0, width - sign.length - prefix.length - digits.length)
  if (flags.includes('-')) return sign + prefix + digits + ' '.repeat(missing)
  if (flags.includes('0') && zeros) return sign + prefix + '0'.repeat(missing) + digits
  return ' '.repeat(missing) + sign + prefix + digits
}

function formatDecimal(letter: string, size: number, precision: number, alternate: boolean): string {
  switch (letter) {
    case 'e':
      return formatExponential(size, precision)
    case 'f':
      return formatFixed(size, precision)
    case 'g':
      return formatGeneral(size, precision === 0 ? 1 : precision, alternate)
    default:
      return throwArgumentError(`malformed format string - %${letter}`)
  }
}

function formatFixed(size: number, precision: number): string {
  if (size < 1e21) return roundToEven(size, Math.min(precision, 100))
  return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
}

/** Rounds as C does: a tie is rounded to the even digit, where `toFixed` rounds up. */
function roundToEven(size: number, precision: number): string {
  const above = size.toFixed(precision)
  const exact = size.toFixed(100)
  const point = exact.indexOf('.') + 1
  const isTie = precision < 100 && /^50*$/.test(exact.slice(point + precision))
  if (!isTie || /[02468]$/.test(above)) return above
  return exact.slice(0, precision === 0 ? point - 1 : point + precision)
}

function formatExponential(size: number, precision: number): string {
  return size.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2')
}

function formatGeneral(size: number, precision: number, alternate: boolean): string {
  const exponent = size === 0 ? 0 : Number(size.toExponential(precision - 1).split('e')[1])
  const text =
    exponent < -4 || exponent >= precision
      ? formatExponential(size, precision - 1)
      : formatFixed(size, precision - 1 - exponent)
  const [mantissa = '', power] = text.split('e')
  if (alternate || !mantissa.includes('.')) return text
  const digits = trimTrailing(trimTrailing(mantissa, '0'), '.')
  return power === undefined ? digits : `${digits}e${power}`
}

function formatHexFloat(size: number, precision: number | undefined): string {
  if (size === 0) return '0x0p+0'
  let exponent = Math.floor(Math.log2(size))
  if (size / 2 ** exponent >= 2) exponent++
  if (size / 2 ** exponent < 1) exponent--
  const mantissa = (size / 2 ** exponent).toString(16)
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
  const digits = precision === undefined ? fraction : fraction.slice(0, precision).padEnd(precision, '0')
  return `0x${whole}${digits === '' ? '' : `.${digits}`}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}
