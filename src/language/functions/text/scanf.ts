import { findMatch } from '../../ruby-semantics/regexp/match.ts'
import { Float } from '../../values/float.ts'
import { Regexp } from '../../values/regexp.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'

/** `scanf`: returns the values up to the first conversion that does not match, like Ruby's `String#scanf`. */
export const scanf = defineFunction('scanf', "Parses values from a string by a format, like Ruby's scanf.", {
  'String $data, String $format, &$block?': (data: string, format: string, block?: FunctionBlock) => {
    const result = scanText(data, format)
    return block ? block(result) : result
  },
})

/**
 * Matches a part of a format: `%5d`, `%*s`, `%[a-z]` or `%%` with preceding white space, or literal text. Ruby: the
 * scanf gem.
 */
const partPattern = /(\s*)%(?:%|(\*?)(\d*)(\[\[:\w+:\]\]|\[[^\]]*\]|[diuxofegsca]))|[^%\s]+/gi

/** Returns the values up to the first part that does not match, or up to the end of the text. */
function scanText(data: string, format: string): Value {
  const values: Value[] = []
  let left = data
  for (const [part, space = '', skip = '', width = '', kind] of format.matchAll(partPattern)) {
    const pattern = kind === undefined ? undefined : toPattern(kind, width)
    const keepsSpace = kind !== undefined && (kind.startsWith('[') || (kind === 'c' && (space === '' || width !== '')))
    if (!keepsSpace) left = left.replace(/^\s+/, '')
    const found = findMatch(new Regexp(`(?m:\\A${pattern ?? toLiteralPattern(part)})`), left)
    if (!found) return values
    left = left.slice(found.groups[0]!.length)
    if (pattern !== undefined && skip === '') values.push(readValue(found.groups[1]!, kind!))
    if (left === '') return values
  }
  return values
}

/** Pattern of literal text: a part without a conversion, or with an unknown conversion letter. */
function toLiteralPattern(part: string): string {
  if (part.trimStart() === '%%') return '\\s*%'
  return part.replace(/[\\^$.*+?()[\]{}|/\s#-]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))
}

/** Pattern of a conversion, with the value in a group; `undefined` for an unknown letter such as `D`. */
function toPattern(kind: string, width: string): string | undefined {
  const size = width === '' ? undefined : Number(width)
  if (kind.startsWith('[')) return `(${kind}${size === undefined ? '+' : `{1,${size}}`})`
  const pattern = size === undefined ? patterns[kind] : sized[kind]?.(size)
  return pattern?.replaceAll('H', '[\\da-fA-F]')
}

const float = '[-+]?(?:0[xX](?:\\.H+|H+(?:\\.H*)?)[pP][-+]?\\d+|\\d+(?![\\d.])|\\d*\\.\\d*(?:[eE][-+]?\\d+)?)'
const floats = 'aefgAEFG'

/** Patterns of conversions without a width; `H` stands for a hexadecimal digit. */
const patterns: Readonly<Record<string, string>> = {
  d: '([-+]?\\d+)',
  u: '([-+]?\\d+)',
  i: '([-+]?(?:0[0-7]+|0[xX]H+|[1-9]\\d*))',
  o: '([-+]?[0-7]+)',
  x: '([-+]?(?:0[xX])?H+)',
  X: '([-+]?(?:0[xX])?H+)',
  ...Object.fromEntries(Array.from(floats, (letter) => [letter, `(${float})`])),
  s: '(\\S+)',
  c: '(.)',
}

/** Joins alternatives whose length, including sign and prefix, is limited to the width. */
function limitWidth(
  width: number,
  ...forms: readonly (readonly [prefix: string, length: number, digits: string])[]
): string {
  const fitting = forms.filter(([, length]) => width > length)
  return fitting.map(([prefix, length, digits]) => `${prefix}${digits}{1,${width - length}}`).join('|')
}

const buildDecimalPattern = (width: number): string => `(${limitWidth(width, ['[-+]', 1, '\\d'], ['', 0, '\\d'])})`
const buildHexPattern = (width: number): string =>
  `(${limitWidth(width, ['[-+]0[xX]', 3, 'H'], ['0[xX]', 2, 'H'], ['[-+]', 1, 'H'], ['', 0, 'H'])})`
const buildIntegerPattern = (width: number): string => {
  const octal = limitWidth(width, ['0', 1, '[0-7]'], ['[-+]0', 2, '[0-7]'])
  const others = limitWidth(width, ['[-+][1-9]', 2, '\\d'], ['0[xX]', 2, 'H'], ['[-+]0[xX]', 3, 'H'])
  return `(${[limitWidth(width, ['[1-9]', 1, '\\d']), octal, others, '\\d'].filter((each) => each !== '').join('|')})`
}

const sized: Readonly<Record<string, (width: number) => string>> = {
  d: buildDecimalPattern,
  u: buildDecimalPattern,
  i: buildIntegerPattern,
  o: (width) => `(${limitWidth(width, ['[-+]', 1, '[0-7]'], ['', 0, '[0-7]'])})`,
  x: buildHexPattern,
  X: buildHexPattern,
  ...Object.fromEntries(Array.from(floats, (letter) => [letter, (width: number) => `(?=${float})(\\S{1,${width}})`])),
  s: (width) => `(\\S{1,${width}})`,
  c: (width) => `(.{1,${width}})`,
}

function readValue(text: string, kind: string): Value {
  if (kind.startsWith('[') || kind === 's' || kind === 'c') return text
  if (floats.includes(kind)) return new Float(parseFloatPrefix(text))
  const sign = text.startsWith('-') ? -1n : 1n
  const digits = text.replace(/^[-+]/, '').replace(/^0[xX]/, '')
  const isHex = /^[xX]$/.test(kind) || (kind === 'i' && /^[-+]?0[xX]/.test(text))
  const isOctal = kind === 'o' || (kind === 'i' && /^0[0-7]/.test(digits))
  const value = sign * BigInt(`${isHex ? '0x' : isOctal ? '0o' : ''}${digits}`)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Parses the number at the start of a text; `0x1.8p+1` is 3. */
function parseFloatPrefix(text: string): number {
  const hex = /^([-+]?)0[xX](H*)\.?(H*)[pP]([-+]?\d+)/.source.replaceAll('H', '[\\da-fA-F]')
  const [, sign, whole = '', fraction = '', exponent] = new RegExp(hex).exec(text) ?? []
  if (exponent === undefined) return Number.parseFloat(text) || 0
  const digits = Number.parseInt(`${whole}${fraction}`, 16)
  return (sign === '-' ? -digits : digits) * 2 ** (Number(exponent) - 4 * fraction.length)
}
