import { Float } from '../values/float.ts'
import type { Value } from '../values/value.ts'
import { type Block, defineFunction } from './define-function.ts'

export const scanf = defineFunction('scanf', 'Values read out of a text by a format, as Ruby reads them.', {
  'String $data, String $format, &$block?': (data: string, format: string, block?: Block) => {
    const result = scan(data, format)
    return block ? block(result) : result
  },
})

const directivePattern = /%(\*?)(\d*)[hlL]?(?:(\[\^?\]?[^\]]*\])|([%diuoxXaefgAEFGsc]))|\s+|[^%\s]+|%/g

/** Stops at the first directive that the text does not suit. */
function scan(data: string, format: string): Value {
  const values: Value[] = []
  let at = 0
  for (const { 0: token, 1: skip, 2: width, 3: set, 4: letter } of format.matchAll(directivePattern)) {
    if (/^\s/.test(token) || /^%[%]?$/.test(token)) at = skipSpace(data, at)
    if (/^\s/.test(token)) continue
    const pattern = set
      ? `${set}${times(width, '+')}`
      : letter && letter !== '%'
        ? patterns[letter]?.(width ?? '')
        : undefined
    if (pattern === undefined) {
      const literal = letter === '%' ? '%' : token
      if (!data.startsWith(literal, at)) return values
      at += literal.length
      continue
    }
    if (letter !== undefined && letter !== 'c') at = skipSpace(data, at)
    const matcher = new RegExp(pattern, 'yu')
    matcher.lastIndex = at
    const found = matcher.exec(data)?.[0]
    if (found === undefined) return values
    at += found.length
    if (skip === '') values.push(readValue(found, letter))
  }
  return values
}

function times(width: string | undefined, standard: string): string {
  return width ? `{1,${width}}` : standard
}

const integer = (digits: string) => (width: string) =>
  width ? `(?=[-+]?${digits})[-+\\w]{1,${width}}` : `[-+]?${digits}+`
const float = (width: string): string =>
  width ? `(?=[-+]?[.\\d])[-+.\\deE]{1,${width}}` : '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?'

const patterns: Readonly<Record<string, (width: string) => string>> = {
  d: integer('\\d'),
  u: integer('\\d'),
  i: (width) => (width ? `(?=[-+]?\\d)[-+\\w]{1,${width}}` : '[-+]?(?:0[xX][\\da-fA-F]+|0[0-7]*|[1-9]\\d*)'),
  o: integer('[0-7]'),
  x: (width) => (width ? `[-+\\w]{1,${width}}` : '[-+]?(?:0[xX])?[\\da-fA-F]+'),
  X: (width) => (width ? `[-+\\w]{1,${width}}` : '[-+]?(?:0[xX])?[\\da-fA-F]+'),
  a: float,
  e: float,
  f: float,
  g: float,
  A: float,
  E: float,
  F: float,
  G: float,
  s: (width) => `\\S${times(width, '+')}`,
  c: (width) => `[\\s\\S]${width ? `{${width}}` : ''}`,
}

function readValue(text: string, letter: string | undefined): Value {
  if (letter === undefined || letter === 's' || letter === 'c') return text
  if ('aefgAEFG'.includes(letter)) return new Float(Number(text))
  const sign = text.startsWith('-') ? -1 : 1
  const digits = text.replace(/^[-+]/, '')
  if (letter === 'x' || letter === 'X') return sign * Number.parseInt(digits, 16)
  if (letter === 'o' || (letter === 'i' && /^0[0-7]/.test(digits))) return sign * Number.parseInt(digits, 8)
  if (letter === 'i' && /^0[xX]/.test(digits)) return sign * Number.parseInt(digits, 16)
  return sign * Number.parseInt(digits, 10)
}

function skipSpace(data: string, from: number): number {
  let at = from
  while (/\s/.test(data[at] ?? '')) at++
  return at
}
