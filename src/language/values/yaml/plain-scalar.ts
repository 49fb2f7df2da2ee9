import { Float } from '../float.ts'
import { normalizeInteger } from '../integer.ts'
import type { Value } from '../value.ts'
import { YamlError } from './yaml-error.ts'

/** Whether a date or a time is text, or what data may not be. */
export type Dates = 'refused' | 'text'

/** What a scalar without quotes means. Ruby: psych/scalar_scanner.rb. */
export function plainValue(text: string, dates: Dates): Value {
  if (text === '') return undefined
  if (/^[^\d.:-]?[\p{Alphabetic}_\s!@#$%^&*(){}<>|/\\~;=]+/mu.test(text) || text.includes('\n')) return wordValue(text)
  if (dates === 'refused') refuseTimes(text)
  if (/^\+?\.inf$/i.test(text)) return new Float(Number.POSITIVE_INFINITY)
  if (/^-\.inf$/i.test(text)) return new Float(Number.NEGATIVE_INFINITY)
  if (/^\.nan$/i.test(text)) return new Float(Number.NaN)
  if (/^:./.test(text)) return symbolName(text)
  return numberFrom(text) ?? text
}

function symbolName(text: string): string {
  const quoted = /^:(["'])(.*)\1/.exec(text)?.[2]
  return quoted === undefined ? text.slice(1) : quoted.replace(/^:/, '')
}

function wordValue(text: string): Value {
  if (text.length > 5 || /^[^ytonf~]/im.test(text)) return text
  if (text === '~' || /^null$/im.test(text)) return undefined
  if (/^(yes|true|on)$/im.test(text)) return true
  return /^(no|false|off)$/im.test(text) ? false : text
}

function refuseTimes(text: string): void {
  if (/^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/.test(text))
    throw new YamlError('Tried to load unspecified class: Time')
  if (/^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/.test(text))
    throw new YamlError('Tried to load unspecified class: Date')
}

function numberFrom(text: string): Value {
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$/.test(text)) return sexagesimalInteger(text)
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$/.test(text)) return sexagesimalFloat(text)
  if (/^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/.test(text))
    return /^[-+]?\.$/.test(text) ? undefined : rubyFloat(text.replace(/[,_]|\.(?=[Ee]|$)/g, ''))
  if (/^[-+]?(?:0b[01_,]+|0[0-7_,]+|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*|0x[0-9a-fA-F_,]+)$/.test(text))
    return rubyInteger(text.replace(/[,_]/g, ''))
  return undefined
}

function rubyInteger(text: string): Value {
  const digits = text.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o')
  if (/^0[bx]$/.test(digits)) throw new YamlError(`invalid value for Integer(): ${JSON.stringify(text)}`)
  const magnitude = BigInt(digits)
  return normalizeInteger(text.startsWith('-') ? -magnitude : magnitude)
}

/** Ruby's `Float(text)`. */
export function rubyFloat(text: string): Float {
  if (!/^[-+]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+)?$/.test(text))
    throw new YamlError(`invalid value for Float(): ${JSON.stringify(text)}`)
  return new Float(Number(text.replaceAll('_', '')))
}

/** Psych takes two parts for hours and minutes, `1:30` is 5400, and the sign for that of the first alone. */
function sexagesimalInteger(text: string): Value {
  const parts = text.split(':').map((part) => BigInt(leadingDigits(part)))
  return normalizeInteger(parts.reduce((sum, part, index) => sum + part * 60n ** BigInt(Math.abs(index - 2)), 0n))
}

function sexagesimalFloat(text: string): Float {
  const parts = text.split(':').map((part) => Number(leadingDigits(part)))
  return new Float(parts.reduce((sum, part, index) => sum + part * 60 ** Math.abs(index - 2), 0))
}

/** What Ruby's `to_i` and `to_f` read: single underscores between digits, up to what is none. */
function leadingDigits(text: string): string {
  const [found] = /^[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?/.exec(text)!
  return found.replace(/[+_]/g, '')
}
