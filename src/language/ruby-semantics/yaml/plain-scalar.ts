import type { RubyData, RubyScalar } from '../data/data-form.ts'
import { PlainFloat } from '../data/plain-form.ts'
import { normalizeInteger } from '../numbers/integer.ts'
import { type PermittedClasses, rejectClass } from './permitted-classes.ts'
import { YamlError } from './yaml-error.ts'

/** Value of a scalar before nil and Floats are converted by a `DataForm`. */
export type PlainScalar<Own> = PlainFloat | RubyData<Own>

/** Value of an unquoted scalar. Ruby: psych/scalar_scanner.rb. */
export function parsePlainScalar<Own>(text: string, permitted: PermittedClasses<Own>): PlainScalar<Own> {
  if (text === '') return undefined
  if (/^[^\d.:-]?[\p{Alphabetic}_\s!@#$%^&*(){}<>|/\\~;=]+/mu.test(text) || text.includes('\n')) return parseWord(text)
  if (time.test(text)) return (permitted.Time ?? rejectClass('Time'))(text)
  if (date.test(text)) return (permitted.Date ?? rejectClass('Date'))(text)
  if (/^\+?\.inf$/i.test(text)) return new PlainFloat(Number.POSITIVE_INFINITY)
  if (/^-\.inf$/i.test(text)) return new PlainFloat(Number.NEGATIVE_INFINITY)
  if (/^\.nan$/i.test(text)) return new PlainFloat(Number.NaN)
  if (/^:./.test(text)) return createSymbol(parseSymbolName(text), permitted)
  return parseNumber(text) ?? text
}

/** Value of a symbol. Throws if symbols are not permitted. */
export function createSymbol<Own>(name: string, permitted: PermittedClasses<Own>): RubyData<Own> {
  return (permitted.Symbol ?? rejectClass('Symbol'))(name)
}

function parseSymbolName(text: string): string {
  const quoted = /^:(["'])(.*)\1/.exec(text)?.[2]
  return quoted === undefined ? text.slice(1) : quoted.replace(/^:/, '')
}

function parseWord(text: string): RubyScalar {
  if (text.length > 5 || /^[^ytonf~]/im.test(text)) return text
  if (text === '~' || /^null$/im.test(text)) return undefined
  if (/^(yes|true|on)$/im.test(text)) return true
  return /^(no|false|off)$/im.test(text) ? false : text
}

const time = /^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/
const date = /^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/

function parseNumber(text: string): RubyScalar | PlainFloat {
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$/.test(text)) return parseSexagesimalInteger(text)
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$/.test(text)) return parseSexagesimalFloat(text)
  if (/^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/.test(text))
    return /^[-+]?\.$/.test(text) ? undefined : parseRubyFloat(text.replace(/[,_]|\.(?=[Ee]|$)/g, ''))
  if (/^[-+]?(?:0b[01_,]+|0[0-7_,]+|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*|0x[0-9a-fA-F_,]+)$/.test(text))
    return parseRubyInteger(text.replace(/[,_]/g, ''))
  return undefined
}

function parseRubyInteger(text: string): RubyScalar {
  const digits = text.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o')
  if (/^0[bx]$/.test(digits)) throw new YamlError(`invalid value for Integer(): ${JSON.stringify(text)}`)
  const magnitude = BigInt(digits)
  return normalizeInteger(text.startsWith('-') ? -magnitude : magnitude)
}

/** Parses a Float, like Ruby's `Float(text)`. */
export function parseRubyFloat(text: string): PlainFloat {
  if (!/^[-+]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+)?$/.test(text))
    throw new YamlError(`invalid value for Float(): ${JSON.stringify(text)}`)
  return new PlainFloat(Number(text.replaceAll('_', '')))
}

/**
 * Parses `1:30:00` and similar numbers. Psych reads two parts as hours and minutes (`1:30` is 5400), and applies the
 * sign only to the first part.
 */
function parseSexagesimalInteger(text: string): RubyScalar {
  const parts = text.split(':').map((part) => BigInt(readLeadingDigits(part)))
  return normalizeInteger(parts.reduce((sum, part, index) => sum + part * 60n ** BigInt(Math.abs(index - 2)), 0n))
}

function parseSexagesimalFloat(text: string): PlainFloat {
  const parts = text.split(':').map((part) => Number(readLeadingDigits(part)))
  return new PlainFloat(parts.reduce((sum, part, index) => sum + part * 60 ** Math.abs(index - 2), 0))
}

/** Returns the leading number that Ruby's `to_i` and `to_f` read, without a plus sign and single underscores. */
function readLeadingDigits(text: string): string {
  const [found] = /^[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?/.exec(text)!
  return found.replace(/[+_]/g, '')
}
