import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { Hash } from '../../values/hash.ts'
import type { Value } from '../../values/value.ts'
import { iterate } from '../collections/iterable-items.ts'
import { defineFunction } from '../definition/define-function.ts'

/** `camelcase`: converts `ab_cd` to `AbCd`; the other letters of a word become lower case. */
export const camelcase = defineTextFunction('camelcase', 'Converts a snake_case string to CamelCase.', (text) =>
  text.split('_').map(capitalizeText).join(''),
)
/** `capitalize`: the first character gets Unicode title case, as in Ruby (`ǆ` becomes `ǅ`). */
export const capitalize = defineTextFunction(
  'capitalize',
  'Makes the first character upper case and all others lower case.',
  capitalizeText,
)
/** `chomp`: removes one CR LF, LF or CR from the end. */
export const chomp = defineTextFunction('chomp', 'Removes one line break at the end.', (text) =>
  text.replace(/(\r\n|\n|\r)$/, ''),
)
/** `chop`: removes the last code point, or CR LF; the empty string is unchanged. */
export const chop = defineTextFunction('chop', 'Removes the last character; CR LF counts as one.', (text) =>
  text.replace(/(\r\n|.)$/su, ''),
)
/** `lstrip`: removes ASCII white space and NUL, like Ruby's `String#lstrip`. */
export const lstrip = defineTextFunction('lstrip', 'Removes leading white space.', stripLeft)
/** `rstrip`: removes ASCII white space and NUL, like Ruby's `String#rstrip`. */
export const rstrip = defineTextFunction('rstrip', 'Removes trailing white space.', stripRight)
/** `strip`: removes ASCII white space and NUL, like Ruby's `String#strip`. */
export const strip = defineTextFunction('strip', 'Removes leading and trailing white space.', (text) =>
  stripRight(stripLeft(text)),
)

/** `downcase`: converts also hash keys inside collections; produces no final sigma, as in Ruby. */
export const downcase = defineCaseFunction(
  'downcase',
  'Converts a string, or all strings in data, to lower case.',
  toLower,
)
/** `upcase`: converts also hash keys inside collections. */
export const upcase = defineCaseFunction(
  'upcase',
  'Converts a string, or all strings in data, to upper case.',
  (text) => text.toUpperCase(),
)

/** Defines a function on a string. It returns numbers unchanged and maps iterables. */
function defineTextFunction(name: string, doc: string, change: (text: string) => string) {
  return defineFunction(name, doc, {
    'Numeric $arg': (number: Value) => number,
    'String $arg': change,
    'Iterable[Variant[String, Numeric]] $arg': (items: Value) =>
      Array.from(iterate(items), (item) => (typeof item === 'string' ? change(item) : item)),
  })
}

function defineCaseFunction(name: string, doc: string, change: (text: string) => string) {
  const changeCase = (value: Value): Value => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(changeCase)
    return value instanceof Hash
      ? Hash.of(Array.from(value, ([key, item]) => [changeCase(key), changeCase(item)]))
      : value
  }
  return defineFunction(
    name,
    doc,
    {
      'Numeric $arg': (number: Value) => number,
      'String $arg': change,
      'Array[StringData] $arg': changeCase,
      'Hash[StringData, StringData] $arg': changeCase,
    },
    { types: { StringData: 'Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]' } },
  )
}

function capitalizeText(text: string): string {
  const [first = ''] = text
  return toTitleCase(first) + toLower(text.slice(first.length))
}

/** Converts a character to title case as Ruby's `capitalize` does: `ǆ` to `ǅ`, `ß` to `Ss`. */
function toTitleCase(character: string): string {
  const upper = character.toUpperCase()
  // If the upper case has several characters, those after a letter become lower case: `ß` becomes `Ss`. The upper
  // case of `ŉ` begins with an apostrophe and is unchanged.
  if (upper.length > character.length) return /^\p{Lu}/u.test(upper) ? upper[0] + toLower(upper.slice(1)) : upper
  return digraphs[upper] ?? upper
}

const digraphs: Readonly<Record<string, string>> = { Ǆ: 'ǅ', Ǉ: 'ǈ', Ǌ: 'ǋ', Ǳ: 'ǲ' }

/** Converts a text to lower case. Like Ruby, produces no final sigma. */
function toLower(text: string): string {
  return text.toLowerCase().replaceAll('ς', (_, at: number) => (text[at] === 'ς' ? 'ς' : 'σ'))
}

/** Removes leading white space as Ruby's `strip` does: ASCII white space and NUL. */
function stripLeft(text: string): string {
  return text.replace(/^[\0\t\n\v\f\r ]+/, '')
}

function stripRight(text: string): string {
  return trimTrailing(text, '\0\t\n\v\f\r ')
}
