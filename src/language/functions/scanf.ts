import { Float } from '../values/float.ts'
import type { Value } from '../values/value.ts'
import { type Block, defineFunction } from './define-function.ts'

export const scanf = defineFunction('scanf', 'Values read out of a text by a format, as Ruby reads them.', {
  'String $data, String $format, &$block?': (data: string, format: string, block?: Block) => {
    const result = scan(data, format)
    return block ? block(result) : result
  },
})

/** `%5d`, `%*s`, `%[a-z]`, `%%`; white space; other text. */
const partPattern = /%(\*?)(\d*)[hlL]?(?:(\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\])|([diuoxXaefgAEFGsc]))|%%|\s+|[^%\s]+|%/g

/** Stops at the first part that the text does not suit. */
function scan(data: string, format: string): Value {
  const values: Value[] = []
  let at = 0
  for (const { 0: part, 1: skip, 2: width, 3: set, 4: letter } of format.matchAll(partPattern)) {
    const pattern = patternOf(part, set, letter, Number(width))
    const matcher = new RegExp(pattern, 'yu')
    matcher.lastIndex = at
    const found = matcher.exec(data)
    if (!found) return values
    at += found[0].length
    if (skip === '') values.push(readValue(found[1]!, letter))
  }
  return values
}

/** What a part matches; a value is its only group. */
function patternOf(part: string, set: string | undefined, letter: string | undefined, width: number): string {
  if (set !== undefined) return `(${posixSet(set)}${width ? `{1,${width}}` : '+'})`
  if (letter === 'c') return width ? `([\\s\\S]{1,${width}})` : '([\\s\\S])'
  if (letter !== undefined)
    return `\\s*(${(width ? sized[letter]!(width) : patterns[letter]!).replaceAll('H', '[\\da-fA-F]')})`
  if (part === '%%') return '\\s*%'
  return /^\s/.test(part) ? '\\s*' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '\\d',
  alnum: '\\p{L}\\d',
  lower: '\\p{Ll}',
  upper: '\\p{Lu}',
  space: '\\s',
  punct: '\\p{P}\\p{S}',
  xdigit: '\\da-fA-F',
}

function posixSet(set: string): string {
  const inside = set.slice(1, -1).replace(/^(\^?)\]/, '$1\\]')
  return `[${inside.replace(/\[:(\w+):\]/g, (whole, name: string) => classes[name] ?? whole).replace(/\[/g, '\\[')}]`
}

const float = '[-+]?(?:0[xX](?:\\.H+|H+(?:\\.H*)?)[pP][-+]\\d+|\\d+(?![\\d.])|\\d*\\.\\d*(?:[eE][-+]?\\d+)?)'

/** Without a width; H is a hexadecimal digit. */
const patterns: Readonly<Record<string, string>> = {
  d: '[-+]?\\d+',
  u: '[-+]?\\d+',
  i: '[-+]?(?:0[0-7]+|0[xX]H+|[1-9]\\d*|0)',
  o: '[-+]?[0-7]+',
  x: '[-+]?(?:0[xX])?H+',
  X: '[-+]?(?:0[xX])?H+',
  ...Object.fromEntries(Array.from('aefgAEFG', (letter) => [letter, float])),
  s: '\\S+',
}

/** Alternatives that are no longer than a width, a sign and a prefix counted. */
function upTo(width: number, ...forms: readonly (readonly [prefix: string, length: number, digits: string])[]): string {
  const fitting = forms.filter(([, length]) => width > length)
  return fitting.map(([prefix, length, digits]) => `${prefix}${digits}{1,${width - length}}`).join('|')
}

const decimal = (width: number): string => upTo(width, ['[-+]', 1, '\\d'], ['', 0, '\\d'])
const hexadecimal = (width: number): string =>
  upTo(width, ['[-+]0[xX]', 3, 'H'], ['0[xX]', 2, 'H'], ['[-+]', 1, 'H'], ['', 0, 'H'])

const sized: Readonly<Record<string, (width: number) => string>> = {
  d: decimal,
  u: decimal,
  i: (width) =>
    `${upTo(width, ['[-+]0[xX]', 3, 'H'], ['0[xX]', 2, 'H'], ['[-+]0', 2, '[0-7]'], ['0', 1, '[0-7]'])}${width > 1 ? '|' : ''}${decimal(width)}`,
  o: (width) => upTo(width, ['[-+]', 1, '[0-7]'], ['', 0, '[0-7]']),
  x: hexadecimal,
  X: hexadecimal,
  ...Object.fromEntries(Array.from('aefgAEFG', (letter) => [letter, (width: number) => `(?=${float})\\S{1,${width}}`])),
  s: (width) => `\\S{1,${width}}`,
}

function readValue(text: string, letter: string | undefined): Value {
  if (letter === undefined || letter === 's' || letter === 'c') return text
  if ('aefgAEFG'.includes(letter)) return new Float(floatOf(text))
  const sign = text.startsWith('-') ? -1n : 1n
  const digits = text.replace(/^[-+]/, '').replace(/^0[xX]/, '')
  const isHex = /^[xX]$/.test(letter) || (letter === 'i' && /^[-+]?0[xX]/.test(text))
  const isOctal = letter === 'o' || (letter === 'i' && /^0[0-7]/.test(digits))
  const value = sign * BigInt(`${isHex ? '0x' : isOctal ? '0o' : ''}${digits}`)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** The number that a text begins with; `0x1.8p+1` is 3. */
function floatOf(text: string): number {
  const hex = /^([-+]?)0[xX](H*)\.?(H*)[pP]([-+]\d+)/.source.replaceAll('H', '[\\da-fA-F]')
  const [, sign, whole = '', fraction = '', exponent] = new RegExp(hex).exec(text) ?? []
  if (exponent === undefined) return Number.parseFloat(text) || 0
  const digits = Number.parseInt(`${whole}${fraction}`, 16)
  return (sign === '-' ? -digits : digits) * 2 ** (Number(exponent) - 4 * fraction.length)
}
