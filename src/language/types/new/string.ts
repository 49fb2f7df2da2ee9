import { isUtf8 } from 'node:buffer'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { formatFloat, formatInteger, formatText } from '../../ruby-semantics/numbers/format.ts'
import { Binary } from '../../values/binary.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import { ObjectValue } from '../../values/object.ts'
import { doubleQuote, quote } from '../../values/quote.ts'
import { Regexp } from '../../values/regexp.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { isType } from '../../values/type.ts'
import { Uri } from '../../values/uri.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { inferDetailedType } from '../infer.ts'
import { printIndented } from '../printing/print-indented.ts'
import { toLiteral, toText } from '../printing/text.ts'
import { getRubyClassName } from '../ruby-class.ts'
import { flat, formatArray, formatHash, type Indentation } from './string-collections.ts'
import { type FormatMap, findFormat, mergeFormats, type StringFormat } from './string-format.ts'

/** `String.new($value, $formats)`: formats are a directive, a hash of directives by type, or `default`. */
export function createString(value: Value, formats?: Value): string {
  return formatValue(value, mergeFormats(value, formats), flat)
}

function formatValue(value: Value, formats: FormatMap, indentation: Indentation): string {
  // An object of a parameterized type uses the format for its type without the parameters.
  const format = findFormat(value instanceof ObjectValue ? value.type : inferDetailedType(value), formats)
  if (Array.isArray(value)) return formatArray(value, format, formats, indentation, formatValue)
  if (value instanceof Hash) {
    if (format.letter === 'a') return formatValue(Array.from(value), formats, indentation)
    return formatHash(value, format, formats, indentation, formatValue)
  }
  if (value instanceof IteratorValue) return formatValue([...value], formats, indentation)
  return formatSingle(value, format, indentation)
}

function formatSingle(value: Value, format: StringFormat, indentation: Indentation): string {
  switch (typeof value) {
    case 'undefined':
      return alignText(format, formatUndef(format))
    case 'boolean':
      return formatBoolean(value, format)
    case 'number':
    case 'bigint':
      return formatIntegerValue(value, format)
    case 'string':
      return formatString(value, format)
  }
  if (value === DEFAULT) return alignText(format, formatDefault(format))
  if (value instanceof Float) return formatFloatValue(value, format)
  if (value instanceof Regexp) return formatRegexp(value, format)
  if (value instanceof Binary) return formatBinary(value, format)
  if (isType(value)) return formatOther('Type', 'sp', format, toText(value), toText(value))
  if (value instanceof Uri) return formatUri(value, format)
  if (value instanceof ObjectValue) return formatObject(value, format, indentation)
  return formatAny(value, format)
}

/** Throws Puppet's error for a format letter that the type does not support. */
function failBadFormat(type: string, { letter }: StringFormat, expected: string): never {
  throwArgumentError(
    `Illegal format '${letter}' specified for value of ${type} type - expected one of the characters '${expected}'`,
  )
}

function alignText(format: StringFormat, text: string): string {
  return formatText({ ...format, delimiter: undefined, flags: format.flags.includes('-') ? '-' : '' }, text)
}

const undefTexts: Readonly<Record<string, readonly [string, string]>> = {
  n: ['nil', 'null'],
  u: ['undef', 'undefined'],
  v: ['n/a', 'n/a'],
  V: ['N/A', 'N/A'],
  s: ['', '""'],
  p: ['undef', '"undef"'],
}

function formatUndef(format: StringFormat): string {
  const texts = undefTexts[format.letter]
  if (texts) return texts[format.alternate ? 1 : 0]
  return /[dxXobBeEfgGaA]/.test(format.letter) ? 'NaN' : failBadFormat('Undef', format, 'nudxXobBeEfgGaAvVsp')
}

function formatDefault(format: StringFormat): string {
  const word = /[dsp]/.test(format.letter) ? 'default' : format.letter === 'D' ? 'Default' : undefined
  if (word === undefined) return failBadFormat('Default', format, 'dDsp')
  return format.alternate ? `"${word}"` : word
}

function formatBoolean(value: boolean, format: StringFormat): string {
  if (/[dxXobB]/.test(format.letter)) return formatIntegerValue(value ? 1 : 0, format)
  if (/[eEfgGaA]/.test(format.letter)) return formatFloatValue(new Float(value ? 1 : 0), format)
  const words: Readonly<Record<string, readonly [string, string]>> = {
    t: ['true', 'false'],
    T: ['True', 'False'],
    y: ['yes', 'no'],
    Y: ['Yes', 'No'],
  }
  const pair = words[format.letter]
  const word = pair?.[value ? 0 : 1]
  if (word !== undefined) return alignText(format, format.alternate ? word.charAt(0) : word)
  return /[sp]/.test(format.letter)
    ? alignText(format, String(value))
    : failBadFormat('Boolean', format, 'tTyYdxXobBeEfgGaAsp')
}

function formatIntegerValue(value: number | bigint, format: StringFormat): string {
  switch (true) {
    case /[dxXobB]/.test(format.letter):
      return formatInteger(format, value)
    case format.letter === 'p':
      return formatText(format, String(value))
    case /[eEfgGaA]/.test(format.letter):
      return formatFloat(format, Number(value))
    case format.letter === 'c': {
      if (value < 0 || value > 0x7fffffff) return throwArgumentError('pack(U): value out of range')
      if (value > 0x10ffff) return throwArgumentError('invalid byte sequence in UTF-8')
      const character = String.fromCodePoint(Number(value))
      return formatText(format, format.alternate ? `"${character}"` : character)
    }
    case format.letter === 's':
      return formatText(format, format.alternate ? `"${value}"` : String(value))
    default:
      return failBadFormat('Integer', format, 'dxXobBeEfgGaAspc')
  }
}

function formatFloatValue(value: Float, format: StringFormat): string {
  if (/[dxXobB]/.test(format.letter)) return formatInteger(format, BigInt(Math.trunc(value.value)))
  if (/[eEfgGaA]/.test(format.letter)) return formatFloat(format, value.value)
  if (format.letter === 'p') return formatText(format, String(value))
  if (format.letter === 's') return formatText(format, format.alternate ? `"${value}"` : String(value))
  return failBadFormat('Float', format, 'dxXobBeEfgGaAsp')
}

const textChanges: Readonly<Record<string, (text: string) => string>> = {
  c: capitalize,
  C: (text) => text.split('::').map(capitalize).join('::'),
  u: (text) => text.toUpperCase(),
  d: (text) => text.toLowerCase(),
  t: (text) => text.replace(/^[\s\0]+|(?<![\s\0])[\s\0]+$/g, ''),
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

function formatString(text: string, format: StringFormat): string {
  if (format.letter === 's') return formatText(format, text)
  if (format.letter === 'p') return alignText(format, format.alternate ? doubleQuote(text) : quote(text))
  const change = textChanges[format.letter]
  if (!change) return failBadFormat('String', format, 'cCudspt')
  return format.alternate ? alignText(format, quote(change(text))) : formatText(format, change(text))
}

function formatRegexp(value: Regexp, format: StringFormat): string {
  const text = format.alternate ? quote(value.bare) : value.bare
  return formatOther('Regexp', 'sp', { ...format, alternate: false }, text, String(value))
}

function formatOther(type: string, letters: string, format: StringFormat, text: string, literal: string): string {
  if (!letters.includes(format.letter)) return failBadFormat(type, format, letters)
  if (format.letter === 'p') return formatText(format, literal)
  return formatText(format, format.alternate ? `"${text}"` : text)
}

/** Formats a value whose type has no rule, as Ruby's `format` does; a time is formatted as a number of seconds. */
function formatAny(value: Value, format: StringFormat): string {
  if (format.letter === 's') return formatText(format, toText(value))
  if (format.letter === 'p') return formatText(format, toLiteral(value))
  const isWhole = /[dxXobB]/.test(format.letter)
  if (!isWhole && !/[eEfgGaA]/.test(format.letter))
    return throwArgumentError(`malformed format string - %${format.letter}`)
  if (!(value instanceof Timespan || value instanceof Timestamp))
    return throwArgumentError(`can't convert ${getRubyClassName(value)} into ${isWhole ? 'Integer' : 'Float'}`)
  const seconds = value.nanoseconds / 1_000_000_000n
  return isWhole ? formatInteger(format, seconds) : formatFloat(format, Number(value.nanoseconds) / 1e9)
}

function formatUri(value: Uri, format: StringFormat): string {
  if (format.letter === 's') return formatText(format, format.alternate ? quote(value.text) : value.text)
  return format.letter === 'p' ? toLiteral(value) : failBadFormat('URI', format, 'sp')
}

/** Formats an object and ignores the width. With `#`, each attribute is on its own line. */
function formatObject(value: ObjectValue, format: StringFormat, { level, breaking }: Indentation): string {
  if (!'spq'.includes(format.letter)) return failBadFormat('Object', format, 'spq')
  const isBroken = format.letter === 'p' && (format.alternate || breaking)
  return isBroken ? printIndented(value, level) : toLiteral(value)
}

function formatBinary(value: Binary, format: StringFormat): string {
  const formatPlain = (plain: string) =>
    formatText(format, format.alternate ? `"${plain.replace(/\n/g, '\\n')}"` : plain)
  switch (format.letter) {
    case 's':
      if (!isUtf8(value.bytes)) throwArgumentError('invalid byte sequence in UTF-8')
      return formatPlain(Buffer.from(value.bytes).toString('utf8'))
    case 'p':
      return `Binary("${formatText(format, String(value))}")`
    case 'b':
      return formatPlain(String(value).replace(/.{1,60}/g, '$&\n'))
    case 'B':
      return formatPlain(String(value))
    case 'u':
      return formatPlain(String(value).replace(/\+/g, '-').replace(/\//g, '_'))
    case 't':
      return formatPlain('Binary')
    case 'T':
      return formatPlain('BINARY')
    default:
      return failBadFormat('Binary', format, 'bButTsp')
  }
}
