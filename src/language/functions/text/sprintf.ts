import { bytesFromText } from '../../../base/text/byte-text.ts'
import { withoutTrailing } from '../../../base/text/trailing.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { boundedWidth } from '../../ruby-semantics/sizes.ts'
import { rubyInspect, rubyText } from '../../types/printing/ruby-text.ts'
import { getRubyName } from '../../types/ruby-class.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import type { Value } from '../../values/value.ts'
import { defineLegacyFunction, getLegacyName } from '../definition/legacy-function.ts'

/** `sprintf`: Ruby's `Kernel#format`; its errors become RUNTIME_ERROR. */
export const sprintf = defineLegacyFunction(
  'sprintf',
  "Formats values like Ruby's sprintf.",
  -2,
  ([format, ...args]) => {
    if (typeof format === 'string') return formatAsRuby(format, args)
    return refuse(`no implicit conversion of ${getLegacyName(format)} into String`)
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
        if (precision !== undefined) refuse('flag after precision')
        if (width !== undefined) refuse('flag after width')
        flags.add(character)
      } else if (/[1-9]/.test(character)) {
        const number = this.#number(character)
        if (this.#take('$')) {
          if (given) refuse(`value given twice - ${number}$`)
          given = { value: this.#positional(number) }
        } else {
          if (width !== undefined) refuse('width given twice')
          width = number
          this.#expectMore()
        }
      } else if (character === '*') {
        if (width !== undefined) refuse('width given twice')
        const star = toInteger(this.#star())
        if (star < 0) flags.add('-')
        width = boundedWidth(Math.abs(Number(star)))
      } else if (character === '.') {
        if (precision !== undefined) refuse('precision given twice')
        precision = this.#take('*') ? boundedWidth(Number(toInteger(this.#star()))) : this.#number('0')
        this.#expectMore()
      } else if (character === '<') given = { value: this.#named('>', `<`) }
      else if (character === '{')
        return pad(limited(rubyPlain(this.#named('}', '{')), precision), { flags, width, precision })
      else return this.#convert(character, { flags, width, precision }, given)
    }
    if (given) return '%'
    if (flags.size > 0) return refuse('invalid format character - %')
    return refuse('incomplete format specifier; use %% (double %) instead')
  }

  #convert(letter: string, directive: Directive, given: { value: Value } | undefined): string {
    if (letter === '%')
      return directive.flags.size > 0 || directive.width !== undefined ? refuse('invalid format character - %') : '%'
    if (letter === '\n' || letter === '\0') return `%${letter}`
    const convert = conversions[letter]
    if (!convert) return refuse(`malformed format string - %${letter}`)
    return convert(given ? given.value : this.#argument(), directive, letter)
  }

  #argument(): Value {
    if (this.#way === 'numbered' || this.#way === 'named')
      refuse(`unnumbered(${this.#next + 1}) mixed with ${this.#way}`)
    if (this.#next >= this.#args.length) refuse('too few arguments')
    this.#way = 'unnumbered'
    return this.#args[this.#next++]
  }

  #positional(number: number): Value {
    if (this.#way === 'unnumbered') refuse(`numbered(${number}) after unnumbered(${this.#next})`)
    if (this.#way === 'named') refuse(`numbered(${number}) after named`)
    this.#way = 'numbered'
    if (number > this.#args.length) refuse('too few arguments')
    return this.#args[number - 1]
  }

  #named(close: string, open: string): Value {
    const end = this.#format.indexOf(close, this.#at)
    if (end === -1) refuse('malformed name - unmatched parenthesis')
    const name = this.#format.slice(this.#at, end)
    this.#at = end + 1
    if (this.#way === 'unnumbered') refuse(`named${open}${name}${close} after unnumbered(${this.#next})`)
    if (this.#way === 'numbered') refuse(`named${open}${name}${close} after numbered`)
    this.#way = 'named'
    const [hash, ...more] = this.#args
    if (!(hash instanceof Hash) || more.length > 0) refuse('one hash required')
    if (!hash.has(name)) refuse(`key${open}${name}${close} not found`)
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
    if (this.#at >= this.#format.length) refuse('malformed format string - %*[0-9]')
  }

  #number(first: string): number {
    let digits = first
    while (/\d/.test(this.#format[this.#at] ?? '')) digits += this.#format[this.#at++]
    return boundedWidth(Number(digits))
  }

  #take(character: string): boolean {
    if (this.#format[this.#at] !== character) return false
    this.#at++
    return true
  }
}

type Conversion = (value: Value, directive: Directive, letter: string) => string

const text: Conversion = (value, directive) => pad(limited(rubyPlain(value), directive.precision), directive)
const decimal: Conversion = (value, directive) => signed(toInteger(value), directive, (size) => size.toString())
const radix: Conversion = (value, directive, letter) => inRadix(toInteger(value), directive, letter)
const float: Conversion = (value, directive, letter) =>
  letter === 'f' && typeof value === 'bigint'
    ? signed(value, { ...directive, precision: undefined }, (size) => `${size}${decimals(directive)}`)
    : floating(toNumber(value), directive, letter)

/** Decimals of an Integer, all zeros. The Integer itself is not converted to a Float, which could lose digits. */
function decimals({ precision = 6 }: Directive): string {
  return precision === 0 ? '' : `.${'0'.repeat(precision)}`
}

const conversions: Readonly<Record<string, Conversion>> = {
  s: text,
  p: (value, directive) => pad(limited(rubyInspect(value), directive.precision), directive),
  c: (value, directive) => pad(character(value), directive),
  d: decimal,
  i: decimal,
  u: decimal,
  x: radix,
  X: radix,
  o: radix,
  b: radix,
  B: radix,
  f: float,
  e: float,
  E: float,
  g: float,
  G: float,
  a: float,
  A: float,
}

function rubyPlain(value: Value): string {
  return value instanceof Regexp ? value.inspect() : rubyText(value)
}

function character(value: Value): string {
  if (value instanceof Float && Math.abs(value.value) >= 2 ** 63)
    return refuse(`float ${value.toString().replace('.0e', 'e')} out of range of integer`)
  if (value instanceof Float) return character(Math.trunc(value.value))
  if (typeof value === 'bigint') return refuse(`integer ${value} too big to convert to \`int'`)
  if (typeof value === 'number')
    return value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : refuse('invalid character')
  if (typeof value === 'boolean' || Array.isArray(value) || value instanceof Hash)
    return refuse(`no implicit conversion of ${getRubyName(value)} into Integer`)
  const [first, ...more] = [...rubyText(value)]
  return first === undefined || more.length > 0 ? refuse('%c requires a character') : first
}

function limited(value: string, precision: number | undefined): string {
  return precision === undefined ? value : [...value].slice(0, precision).join('')
}

/** Pads with blanks to the width; only numbers are padded with zeros. */
function pad(value: string, { flags, width = 0 }: Directive): string {
  const missing = ' '.repeat(Math.max(0, width - [...value].length))
  return flags.has('-') ? value + missing : missing + value
}

function signed(value: bigint, directive: Directive, toDigits: (size: bigint) => string, prefix = ''): string {
  const digits = value === 0n && directive.precision === 0 ? '' : toDigits(value < 0n ? -value : value)
  return withSign(value < 0n, directive, digits, prefix, directive.precision)
}

function withSign(negative: boolean, directive: Directive, digits: string, prefix: string, least = 0): string {
  const { flags, width = 0, precision } = directive
  const sign = negative ? '-' : flags.has('+') ? '+' : flags.has(' ') ? ' ' : ''
  const zeros = flags.has('0') && !flags.has('-') && precision === undefined
  const wanted = zeros ? width - sign.length - prefix.length : least
  return pad(sign + prefix + digits.padStart(wanted, '0'), directive)
}

const digitBits: Readonly<Record<string, number>> = { x: 4, o: 3, b: 1 }
const prefixes: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0', b: '0b', B: '0B' }

/**
 * Formats in a radix. Negative numbers use infinite two's complement, `..f01`, unless a sign flag
 * is given.
 */
function inRadix(value: bigint, directive: Directive, letter: string): string {
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
    return signed(value, directive, toDigits, hasZero ? '' : prefix)
  }
  const mark = letter === 'o' ? '' : prefix
  const last = toDigits((1n << BigInt(bits)) - 1n)
  const body = toComplement(value, bits, last, toDigits)
  const zeros = flags.has('0') && !flags.has('-') && precision === undefined
  const least = precision ?? (zeros ? width - mark.length : 0)
  return pad(`${mark}..${body.padStart(least - 2, last)}`, directive)
}

/** Digits of a negative number's two's complement, starting with one of the infinitely repeated digits. */
function toComplement(value: bigint, bits: number, last: string, toDigits: (size: bigint) => string): string {
  let count = 1
  while (-value > 1n << BigInt(bits * count - 1)) count++
  const digits = toDigits((1n << BigInt(bits * count)) + value).padStart(count, '0')
  return last + digits.replace(new RegExp(`^${last}+`), '')
}

function floating(value: number, directive: Directive, letter: string): string {
  const size = Math.abs(value)
  const negative = value < 0 || Object.is(value, -0)
  if (!Number.isFinite(value)) {
    const flags = new Set([...directive.flags].filter((flag) => flag !== '0'))
    return withSign(negative, { ...directive, flags }, Number.isNaN(value) ? 'NaN' : 'Inf', '')
  }
  const digits = floatDigits(size, letter.toLowerCase(), directive)
  const body = letter === letter.toUpperCase() ? digits.toUpperCase() : digits
  const prefix = /^0x/i.exec(body)?.[0] ?? ''
  return withSign(negative, { ...directive, precision: undefined }, body.slice(prefix.length), prefix)
}

function floatDigits(size: number, letter: string, { flags, precision: given }: Directive): string {
  const precision = given ?? 6
  switch (letter) {
    case 'f':
      return fixed(size, precision) + (precision === 0 && flags.has('#') ? '.' : '')
    case 'e':
      return exponential(size, precision).replace('e', precision === 0 && flags.has('#') ? '.e' : 'e')
    case 'g':
      return general(size, Math.max(1, precision), flags.has('#'))
    default:
      return hexadecimal(size, given)
  }
}

/** Like `toFixed`, but also for numbers from 1e21 and for more than 100 decimals. */
function fixed(size: number, precision: number): string {
  if (size >= 1e21) return precision === 0 ? `${BigInt(size)}` : `${BigInt(size)}.${'0'.repeat(precision)}`
  if (precision > 100) return `${size.toFixed(100)}${'0'.repeat(precision - 100)}`
  return tieToEven(String(size), precision) ?? size.toFixed(precision)
}

function exponential(size: number, precision: number): string {
  const digits = Math.min(100, precision)
  const [shortest, power] = size.toExponential().split('e') as [string, string]
  const [rounded, exponent] = size.toExponential(digits).split('e') as [string, string]
  const even = power === exponent ? tieToEven(shortest, digits) : undefined
  return `${even ?? rounded}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

/** Rounds a number halfway between two results to the even result, as Ruby does (util.c, BSD__dtoa). */
function tieToEven(shortest: string, precision: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(shortest) ?? []
  if (fraction.length !== precision + 1 || !fraction.endsWith('5')) return undefined
  const digits = BigInt(whole + fraction.slice(0, -1))
  const even = `${digits + (digits & 1n)}`.padStart(precision + 1, '0')
  return precision === 0 ? even : `${even.slice(0, -precision)}.${even.slice(-precision)}`
}

function general(size: number, precision: number, keepZeros: boolean): string {
  const exponent = size === 0 ? 0 : Number(size.toExponential(Math.min(100, precision - 1)).split('e')[1])
  const scientific = exponent < -4 || exponent >= precision
  const digits = scientific ? exponential(size, precision - 1) : fixed(size, Math.max(0, precision - 1 - exponent))
  if (keepZeros) return digits
  const [mantissa, power] = digits.split('e') as [string, string | undefined]
  const trimmed = mantissa.includes('.') ? withoutTrailing(withoutTrailing(mantissa, '0'), '.') : mantissa
  return power === undefined ? trimmed : `${trimmed}e${power}`
}

function hexadecimal(size: number, precision: number | undefined): string {
  if (size === 0) return `0x0${precision ? `.${'0'.repeat(precision)}` : ''}p+0`
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, size)
  const exponent = (bits.getUint32(0) >>> 20) - 1023
  const rounded = roundedHex((1n << 52n) | (bits.getBigUint64(0) & 0xfffffffffffffn), precision)
  const isDoubled = rounded >= 1n << 53n
  const digits = (isDoubled ? rounded / 2n : rounded).toString(16).slice(1)
  const power = isDoubled ? exponent + 1 : exponent
  const fraction =
    precision === undefined ? withoutTrailing(digits, '0') : digits.slice(0, precision).padEnd(precision, '0')
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`
}

/** Rounds a mantissa of 13 hexadecimal digits to fewer; ties go to the even digit. */
function roundedHex(mantissa: bigint, precision = 13): bigint {
  if (precision >= 13) return mantissa
  const unit = 1n << BigInt(4 * (13 - precision))
  const below = mantissa % unit
  const isUp = below * 2n > unit || (below * 2n === unit && (mantissa / unit) % 2n === 1n)
  return mantissa - below + (isUp ? unit : 0n)
}

/** Ruby's text of a byte string: `\xC3` for bytes outside ASCII. */
function inBytes(text: string): string {
  const escaped = (found: string) =>
    Array.from(bytesFromText(found), (byte) => `\\x${byte.toString(16).toUpperCase()}`).join('')
  return text.replace(/[^ -~]+/g, escaped)
}

/** Ruby's `Kernel#Integer`. */
function toInteger(value: Value): bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value)
  if (value instanceof Float) {
    if (!Number.isFinite(value.value)) refuse(value.toString())
    return BigInt(Math.trunc(value.value))
  }
  if (typeof value !== 'string') return refuse(`can't convert ${getLegacyName(value)} into Integer`)
  const [, sign, digits = ''] = /^([-+]?)(\S*)$/.exec(value.trim()) ?? []
  const bare = digits.replace(/(?<=[\da-fA-F])_(?=[\da-fA-F])/g, '')
  const literal = /^0[xX][\da-fA-F]+$|^0[bB][01]+$|^0[oO][0-7]+$|^(0|[1-9]\d*)$/.test(bare)
    ? bare
    : /^0[0-7]+$/.test(bare)
      ? `0o${bare.slice(1)}`
      : undefined
  if (literal === undefined) return refuse(`invalid value for Integer(): ${rubyInspect(value)}`)
  return sign === '-' ? -BigInt(literal) : BigInt(literal)
}

/** Ruby's `Kernel#Float`. */
function toNumber(value: Value): number {
  if (value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return refuse(`can't convert ${getLegacyName(value)} into Float`)
  const bare = value.trim().replace(/(?<=\d)_(?=\d)/g, '')
  if (!/^[-+]?(\d+(\.\d+)?([eE][-+]?\d+)?|0[xX][\da-fA-F]+)$/.test(bare))
    refuse(`invalid value for Float(): ${inBytes(rubyInspect(value))}`)
  return Number(bare)
}
