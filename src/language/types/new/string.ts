import { isUtf8 } from 'node:buffer'
import { refuse } from '../../ruby-semantics/argument-error.ts'
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
import { inferSet } from '../infer.ts'
import { printIndented } from '../printing/print-indented.ts'
import { toLiteral, toText } from '../printing/text.ts'
import { rubyClass } from '../ruby-class.ts'
import { flat, type Indentation, writeArray, writeHash } from './string-collections.ts'
import { type Format, type FormatMap, findFormat, formatsFor } from './string-format.ts'

/** `String.new($value, $formats)`: formats are a directive, a hash of directives by type, or `default`. */
export function newString(value: Value, formats?: Value): string {
  return write(value, formatsFor(value, formats), flat)
}

function write(value: Value, formats: FormatMap, indentation: Indentation): string {
  // An object of a parameterized type uses the format for its type without the parameters.
  const format = findFormat(value instanceof ObjectValue ? value.type : inferSet(value), formats)
  if (Array.isArray(value)) return writeArray(value, format, formats, indentation, write)
  if (value instanceof Hash) {
    if (format.letter === 'a') return write(Array.from(value), formats, indentation)
    return writeHash(value, format, formats, indentation, write)
  }
  if (value instanceof IteratorValue) return write([...value], formats, indentation)
  return writeSingle(value, format, indentation)
}

function writeSingle(value: Value, format: Format, indentation: Indentation): string {
  switch (typeof value) {
    case 'undefined':
      return aligned(format, writeUndef(format))
    case 'boolean':
      return writeBoolean(value, format)
    case 'number':
    case 'bigint':
      return writeInteger(value, format)
    case 'string':
      return writeText(value, format)
  }
  if (value === DEFAULT) return aligned(format, writeDefault(format))
  if (value instanceof Float) return writeFloat(value, format)
  if (value instanceof Regexp) return writeRegexp(value, format)
  if (value instanceof Binary) return writeBinary(value, format)
  if (isType(value)) return writeOther('Type', 'sp', format, toText(value), toText(value))
  if (value instanceof Uri) return writeUri(value, format)
  if (value instanceof ObjectValue) return writeObject(value, format, indentation)
  return writeAny(value, format)
}

/** Throws Puppet's error for a format letter that the type does not support. */
function badFormat(type: string, { letter }: Format, expected: string): never {
  refuse(
    `Illegal format '${letter}' specified for value of ${type} type - expected one of the characters '${expected}'`,
  )
}

function aligned(format: Format, text: string): string {
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

function writeUndef(format: Format): string {
  const texts = undefTexts[format.letter]
  if (texts) return texts[format.alternate ? 1 : 0]
  return /[dxXobBeEfgGaA]/.test(format.letter) ? 'NaN' : badFormat('Undef', format, 'nudxXobBeEfgGaAvVsp')
}

function writeDefault(format: Format): string {
  const word = /[dsp]/.test(format.letter) ? 'default' : format.letter === 'D' ? 'Default' : undefined
  if (word === undefined) return badFormat('Default', format, 'dDsp')
  return format.alternate ? `"${word}"` : word
}

function writeBoolean(value: boolean, format: Format): string {
  if (/[dxXobB]/.test(format.letter)) return writeInteger(value ? 1 : 0, format)
  if (/[eEfgGaA]/.test(format.letter)) return writeFloat(new Float(value ? 1 : 0), format)
  const words: Readonly<Record<string, readonly [string, string]>> = {
    t: ['true', 'false'],
    T: ['True', 'False'],
    y: ['yes', 'no'],
    Y: ['Yes', 'No'],
  }
  const pair = words[format.letter]
  const word = pair?.[value ? 0 : 1]
  if (word !== undefined) return aligned(format, format.alternate ? word.charAt(0) : word)
  return /[sp]/.test(format.letter)
    ? aligned(format, String(value))
    : badFormat('Boolean', format, 'tTyYdxXobBeEfgGaAsp')
}

function writeInteger(value: number | bigint, format: Format): string {
  switch (true) {
    case /[dxXobB]/.test(format.letter):
      return formatInteger(format, value)
    case format.letter === 'p':
      return formatText(format, String(value))
    case /[eEfgGaA]/.test(format.letter):
      return formatFloat(format, Number(value))
    case format.letter === 'c': {
      if (value < 0 || value > 0x7fffffff) return refuse('pack(U): value out of range')
      if (value > 0x10ffff) return refuse('invalid byte sequence in UTF-8')
      const character = String.fromCodePoint(Number(value))
      return formatText(format, format.alternate ? `"${character}"` : character)
    }
    case format.letter === 's':
      return formatText(format, format.alternate ? `"${value}"` : String(value))
    default:
      return badFormat('Integer', format, 'dxXobBeEfgGaAspc')
  }
}

function writeFloat(value: Float, format: Format): string {
  if (/[dxXobB]/.test(format.letter)) return formatInteger(format, BigInt(Math.trunc(value.value)))
  if (/[eEfgGaA]/.test(format.letter)) return formatFloat(format, value.value)
  if (format.letter === 'p') return formatText(format, String(value))
  if (format.letter === 's') return formatText(format, format.alternate ? `"${value}"` : String(value))
  return badFormat('Float', format, 'dxXobBeEfgGaAsp')
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

function writeText(text: string, format: Format): string {
  if (format.letter === 's') return formatText(format, text)
  if (format.letter === 'p') return aligned(format, format.alternate ? doubleQuote(text) : quote(text))
  const change = textChanges[format.letter]
  if (!change) return badFormat('String', format, 'cCudspt')
  return format.alternate ? aligned(format, quote(change(text))) : formatText(format, change(text))
}

function writeRegexp(value: Regexp, format: Format): string {
  const text = format.alternate ? quote(value.bare) : value.bare
  return writeOther('Regexp', 'sp', { ...format, alternate: false }, text, String(value))
}

function writeOther(type: string, letters: string, format: Format, text: string, literal: string): string {
  if (!letters.includes(format.letter)) return badFormat(type, format, letters)
  if (format.letter === 'p') return formatText(format, literal)
  return formatText(format, format.alternate ? `"${text}"` : text)
}

/** Formats a value whose type has no rule, as Ruby's `format` does; a time is formatted as a number of seconds. */
function writeAny(value: Value, format: Format): string {
  if (format.letter === 's') return formatText(format, toText(value))
  if (format.letter === 'p') return formatText(format, toLiteral(value))
  const isWhole = /[dxXobB]/.test(format.letter)
  if (!isWhole && !/[eEfgGaA]/.test(format.letter)) return refuse(`malformed format string - %${format.letter}`)
  if (!(value instanceof Timespan || value instanceof Timestamp))
    return refuse(`can't convert ${rubyClass(value)} into ${isWhole ? 'Integer' : 'Float'}`)
  const seconds = value.nanoseconds / 1_000_000_000n
  return isWhole ? formatInteger(format, seconds) : formatFloat(format, Number(value.nanoseconds) / 1e9)
}

function writeUri(value: Uri, format: Format): string {
  if (format.letter === 's') return formatText(format, format.alternate ? quote(value.text) : value.text)
  return format.letter === 'p' ? toLiteral(value) : badFormat('URI', format, 'sp')
}

/** Formats an object and ignores the width. With `#`, each attribute is on its own line. */
function writeObject(value: ObjectValue, format: Format, { level, breaking }: Indentation): string {
  if (!'spq'.includes(format.letter)) return badFormat('Object', format, 'spq')
  const isBroken = format.letter === 'p' && (format.alternate || breaking)
  return isBroken ? printIndented(value, level) : toLiteral(value)
}

function writeBinary(value: Binary, format: Format): string {
  const text = (plain: string) => formatText(format, format.alternate ? `"${plain.replace(/\n/g, '\\n')}"` : plain)
  switch (format.letter) {
    case 's':
      if (!isUtf8(value.bytes)) refuse('invalid byte sequence in UTF-8')
      return text(Buffer.from(value.bytes).toString('utf8'))
    case 'p':
      return `Binary("${formatText(format, String(value))}")`
    case 'b':
      return text(String(value).replace(/.{1,60}/g, '$&\n'))
    case 'B':
      return text(String(value))
    case 'u':
      return text(String(value).replace(/\+/g, '-').replace(/\//g, '_'))
    case 't':
      return text('Binary')
    case 'T':
      return text('BINARY')
    default:
      return badFormat('Binary', format, 'bButTsp')
  }
}
