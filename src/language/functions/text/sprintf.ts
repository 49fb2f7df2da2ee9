import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { requireBoundedWidth } from '../../ruby-semantics/size-limits.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { getRubyName } from '../../types/ruby-class.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import type { Value } from '../../values/value.ts'
import { defineLegacyFunction, getLegacyName } from '../definition/legacy-function.ts'
import { formatExponential, formatFixed, formatGeneral, formatHexadecimal } from './float-digits.ts'

/** `sprintf`: Ruby's `Kernel#format`; its errors become RUNTIME_ERROR. */
export const sprintf = defineLegacyFunction(
  'sprintf',
  "Formats values like Ruby's sprintf.",
  -2,
  ([format, ...args]) => {
    if (typeof format === 'string') return formatAsRuby(format, args)
    return throwArgumentError(`no implicit conversion of ${getLegacyName(format)} into String`)
  },
)

/**
 * Ruby's `sprintf`: flags, width, precision, `*`, `1$`, `%<name>d`, `%{name}`, and two's complement
 * for `%x`, `%o`, `%b`.
 */
export function formatAsRuby(format: string, args: readonly Value[]): string {
  return new Formatter(format, args).run()
}

interface Directive {
  readonly flags: ReadonlySet<string>
  readonly width: number | undefined
  readonly precision: number | undefined
}

class Formatter {
  readonly #format: string
  readonly #args: readonly Value[]
  #at = 0
  #next = 0
  /** Style of argument references so far: `numbered`, `unnumbered` or `named`. Ruby rejects mixed styles. */
  #way = ''

  constructor(format: string, args: readonly Value[]) {
    this.#format = format
    this.#args = args
  }

  run(): string {
    let result = ''
    while (true) {
      const percent = this.#format.indexOf('%', this.#at)
      if (percent === -1) return result + this.#format.slice(this.#at)
      result += this.#format.slice(this.#at, percent)
      this.#at = percent + 1
      result += this.#directive()
    }
  }

  #directive(): string {
    const flags = new Set<string>()
    let width: number | undefined
    let precision: number | undefined
    let given: { value: Value } | undefined
    while (this.#at < this.#format.length) {
      const character = this.#format[this.#at++]!
      if (' #+-0'.includes(character)) {
        if (precision !== undefined) throwArgumentError('flag after precision')
        if (width !== undefined) throwArgumentError('flag after width')
        flags.add(character)
      } else if (/[1-9]/.test(character)) {
        const number = this.#number(character)
        if (this.#take('$')) {
          if (given) throwArgumentError(`value given twice - ${number}$`)
          given = { value: this.#positional(number) }
        } else {
          if (width !== undefined) throwArgumentError('width given twice')
          width = number
          this.#expectMore()
        }
      } else if (character === '*') {
        if (width !== undefined) throwArgumentError('width given twice')
        const star = toInteger(this.#star())
        if (star < 0) flags.add('-')
        width = requireBoundedWidth(Math.abs(Number(star)))
      } else if (character === '.') {
        if (precision !== undefined) throwArgumentError('precision given twice')
        precision = this.#take('*') ? requireBoundedWidth(Number(toInteger(this.#star()))) : this.#number('0')
        this.#expectMore()
      } else if (character === '<') given = { value: this.#named('>', `<`) }
      else if (character === '{')
        return padText(truncateText(toPlainText(this.#named('}', '{')), precision), { flags, width, precision })
      else return this.#convert(character, { flags, width, precision }, given)
    }
    if (given) return '%'
    if (flags.size > 0) return throwArgumentError('invalid format character - %')
    return throwArgumentError('incomplete format specifier; use %% (double %) instead')
  }

  #convert(letter: string, directive: Directive, given: { value: Value } | undefined): string {
    if (letter === '%')
      return directive.flags.size > 0 || directive.width !== undefined
        ? throwArgumentError('invalid format character - %')
        : '%'
    if (letter === '\n' || letter === '\0') return `%${letter}`
    const convert = conversions[letter]
    if (!convert) return throwArgumentError(`malformed format string - %${letter}`)
    return convert(given ? given.value : this.#argument(), directive, letter)
  }

  #argument(): Value {
    if (this.#way === 'numbered' || this.#way === 'named')
      throwArgumentError(`unnumbered(${this.#next + 1}) mixed with ${this.#way}`)
    if (this.#next >= this.#args.length) throwArgumentError('too few arguments')
    this.#way = 'unnumbered'
    return this.#args[this.#next++]
  }

  #positional(number: number): Value {
    if (this.#way === 'unnumbered') throwArgumentError(`numbered(${number}) after unnumbered(${this.#next})`)
    if (this.#way === 'named') throwArgumentError(`numbered(${number}) after named`)
    this.#way = 'numbered'
    if (number > this.#args.length) throwArgumentError('too few arguments')
    return this.#args[number - 1]
  }

  #named(close: string, open: string): Value {
    const end = this.#format.indexOf(close, this.#at)
    if (end === -1) throwArgumentError('malformed name - unmatched parenthesis')
    const name = this.#format.slice(this.#at, end)
    this.#at = end + 1
    if (this.#way === 'unnumbered') throwArgumentError(`named${open}${name}${close} after unnumbered(${this.#next})`)
    if (this.#way === 'numbered') throwArgumentError(`named${open}${name}${close} after numbered`)
    this.#way = 'named'
    const [hash, ...more] = this.#args
    if (!(hash instanceof Hash) || more.length > 0) throwArgumentError('one hash required')
    if (!hash.has(name)) throwArgumentError(`key${open}${name}${close} not found`)
    return hash.get(name)
  }

  /** Argument for a width or precision of `*`; `*1$` selects an argument by number. */
  #star(): Value {
    const at = this.#at
    const number = this.#number('')
    if (number > 0 && this.#take('$')) return this.#positional(number)
    this.#at = at
    return this.#argument()
  }

  #expectMore(): void {
    if (this.#at >= this.#format.length) throwArgumentError('malformed format string - %*[0-9]')
  }

  #number(first: string): number {
    let digits = first
    while (/\d/.test(this.#format[this.#at] ?? '')) digits += this.#format[this.#at++]
    return requireBoundedWidth(Number(digits))
  }

  #take(character: string): boolean {
    if (this.#format[this.#at] !== character) return false
    this.#at++
    return true
  }
}

type Conversion = (value: Value, directive: Directive, letter: string) => string

const formatText: Conversion = (value, directive) =>
  padText(truncateText(toPlainText(value), directive.precision), directive)
const formatDecimal: Conversion = (value, directive) =>
  formatSigned(toInteger(value), directive, (size) => size.toString())
const formatRadix: Conversion = (value, directive, letter) => formatInRadix(toInteger(value), directive, letter)
const formatFloat: Conversion = (value, directive, letter) =>
  letter === 'f' && typeof value === 'bigint'
    ? formatSigned(value, { ...directive, precision: undefined }, (size) => `${size}${formatZeroDecimals(directive)}`)
    : formatFloating(toNumber(value), directive, letter)

/** Decimals of an Integer, all zeros. The Integer itself is not converted to a Float, which could lose digits. */
function formatZeroDecimals({ precision = 6 }: Directive): string {
  return precision === 0 ? '' : `.${'0'.repeat(precision)}`
}

const conversions: Readonly<Record<string, Conversion>> = {
  s: formatText,
  p: (value, directive) => padText(truncateText(inspectValue(value), directive.precision), directive),
  c: (value, directive) => padText(toCharacter(value), directive),
  d: formatDecimal,
  i: formatDecimal,
  u: formatDecimal,
  x: formatRadix,
  X: formatRadix,
  o: formatRadix,
  b: formatRadix,
  B: formatRadix,
  f: formatFloat,
  e: formatFloat,
  E: formatFloat,
  g: formatFloat,
  G: formatFloat,
  a: formatFloat,
  A: formatFloat,
}

function toPlainText(value: Value): string {
  return value instanceof Regexp ? value.inspect() : formatAsString(value)
}

function toCharacter(value: Value): string {
  if (value instanceof Float && Math.abs(value.value) >= 2 ** 63)
    return throwArgumentError(`float ${value.toString().replace('.0e', 'e')} out of range of integer`)
  if (value instanceof Float) return toCharacter(Math.trunc(value.value))
  if (typeof value === 'bigint') return throwArgumentError(`integer ${value} too big to convert to \`int'`)
  if (typeof value === 'number')
    return value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : throwArgumentError('invalid character')
  if (typeof value === 'boolean' || Array.isArray(value) || value instanceof Hash)
    return throwArgumentError(`no implicit conversion of ${getRubyName(value)} into Integer`)
  const [first, ...more] = [...formatAsString(value)]
  return first === undefined || more.length > 0 ? throwArgumentError('%c requires a character') : first
}

function truncateText(value: string, precision: number | undefined): string {
  return precision === undefined ? value : [...value].slice(0, precision).join('')
}

/** Pads with blanks to the width; only numbers are padded with zeros. */
function padText(value: string, { flags, width = 0 }: Directive): string {
  const missing = ' '.repeat(Math.max(0, width - [...value].length))
  return flags.has('-') ? value + missing : missing + value
}

function formatSigned(value: bigint, directive: Directive, toDigits: (size: bigint) => string, prefix = ''): string {
  const digits = value === 0n && directive.precision === 0 ? '' : toDigits(value < 0n ? -value : value)
  return addSign(value < 0n, directive, digits, prefix, directive.precision)
}

function addSign(negative: boolean, directive: Directive, digits: string, prefix: string, least = 0): string {
  const { flags, width = 0, precision } = directive
  const sign = negative ? '-' : flags.has('+') ? '+' : flags.has(' ') ? ' ' : ''
  const zeros = flags.has('0') && !flags.has('-') && precision === undefined
  const wanted = zeros ? width - sign.length - prefix.length : least
  return padText(sign + prefix + digits.padStart(wanted, '0'), directive)
}

const digitBits: Readonly<Record<string, number>> = { x: 4, o: 3, b: 1 }
const prefixes: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b', B: '0B' }

/**
 * Formats in a radix. Negative numbers use infinite two's complement, `..f01`, unless a sign flag
 * is given.
 */
function formatInRadix(value: bigint, directive: Directive, letter: string): string {
  const { flags, width = 0, precision } = directive
  const bits = digitBits[letter.toLowerCase()]!
  const toDigits = (size: bigint): string => {
    const digits = size.toString(1 << bits)
    return letter === 'X' ? digits.toUpperCase() : digits
  }
  const prefix = flags.has('#') && value !== 0n ? prefixes[letter]! : ''
  if (value >= 0n || flags.has('+') || flags.has(' ')) {
    // The leading zero that marks an octal number counts as a digit.
    const hasZero = letter === 'o' && (precision ?? 0) > toDigits(value < 0n ? -value : value).length
    return formatSigned(value, directive, toDigits, hasZero ? '' : prefix)
  }
  const mark = letter === 'o' ? '' : prefix
  const last = toDigits((1n << BigInt(bits)) - 1n)
  const body = toComplement(value, bits, last, toDigits)
  const zeros = flags.has('0') && !flags.has('-') && precision === undefined
  const least = precision ?? (zeros ? width - mark.length : 0)
  return padText(`${mark}..${body.padStart(least - 2, last)}`, directive)
}

/** Digits of a negative number's two's complement, starting with one of the infinitely repeated digits. */
function toComplement(value: bigint, bits: number, last: string, toDigits: (size: bigint) => string): string {
  let count = 1
  while (-value > 1n << BigInt(bits * count - 1)) count++
  const digits = toDigits((1n << BigInt(bits * count)) + value).padStart(count, '0')
  return last + digits.replace(new RegExp(`^${last}+`), '')
}

function formatFloating(value: number, directive: Directive, letter: string): string {
  const size = Math.abs(value)
  const negative = value < 0 || Object.is(value, -0)
  if (!Number.isFinite(value)) {
    const flags = new Set([...directive.flags].filter((flag) => flag !== '0'))
    return addSign(negative, { ...directive, flags }, Number.isNaN(value) ? 'NaN' : 'Inf', '')
  }
  const digits = formatFloatDigits(size, letter.toLowerCase(), directive)
  const body = letter === letter.toUpperCase() ? digits.toUpperCase() : digits
  const prefix = /^0x/i.exec(body)?.[0] ?? ''
  return addSign(negative, { ...directive, precision: undefined }, body.slice(prefix.length), prefix)
}

function formatFloatDigits(size: number, letter: string, { flags, precision: given }: Directive): string {
  const precision = given ?? 6
  switch (letter) {
    case 'f':
      return formatFixed(size, precision) + (precision === 0 && flags.has('#') ? '.' : '')
    case 'e':
      return formatExponential(size, precision).replace('e', precision === 0 && flags.has('#') ? '.e' : 'e')
    case 'g':
      return formatGeneral(size, Math.max(1, precision), flags.has('#'))
    default:
      return formatHexadecimal(size, given)
  }
}

/** Ruby's text of a byte string: `\xC3` for bytes outside ASCII. */
function formatBytes(text: string): string {
  const escapeCharacter = (found: string) =>
    Array.from(encodeLosslessUtf8(found), (byte) => `\\x${byte.toString(16).toUpperCase()}`).join('')
  return text.replace(/[^ -~]+/g, escapeCharacter)
}

/** Converts a value to an integer, like Ruby's `Kernel#Integer`. */
function toInteger(value: Value): bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value)
  if (value instanceof Float) {
    if (!Number.isFinite(value.value)) throwArgumentError(value.toString())
    return BigInt(Math.trunc(value.value))
  }
  if (typeof value !== 'string') return throwArgumentError(`can't convert ${getLegacyName(value)} into Integer`)
  const [, sign, digits = ''] = /^([-+]?)(\S*)$/.exec(value.trim()) ?? []
  const bare = digits.replace(/(?<=[\da-fA-F])_(?=[\da-fA-F])/g, '')
  const literal = /^0[xX][\da-fA-F]+$|^0[bB][01]+$|^0[oO][0-7]+$|^(0|[1-9]\d*)$/.test(bare)
    ? bare
    : /^0[0-7]+$/.test(bare)
      ? `0o${bare.slice(1)}`
      : undefined
  if (literal === undefined) return throwArgumentError(`invalid value for Integer(): ${inspectValue(value)}`)
  return sign === '-' ? -BigInt(literal) : BigInt(literal)
}

/** Converts a value to a number, like Ruby's `Kernel#Float`. */
function toNumber(value: Value): number {
  if (value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return throwArgumentError(`can't convert ${getLegacyName(value)} into Float`)
  const bare = value.trim().replace(/(?<=\d)_(?=\d)/g, '')
  if (!/^[-+]?(\d+(\.\d+)?([eE][-+]?\d+)?|0[xX][\da-fA-F]+)$/.test(bare))
    throwArgumentError(`invalid value for Float(): ${formatBytes(inspectValue(value))}`)
  return Number(bare)
}
