import { refuse } from '../../ruby-semantics/argument-error.ts'
import type { Directive } from '../../ruby-semantics/numbers/format.ts'
import { boundedWidth } from '../../ruby-semantics/sizes.ts'
import { Hash } from '../../values/hash.ts'
import { toTypeKey } from '../../values/hash-key.ts'
import { isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import { inferSet } from '../infer.ts'
import { isAssignable } from '../is-assignable.ts'
import * as make from '../make.ts'
import { printType } from '../printing/print.ts'
import { rubyClass } from '../ruby-class.ts'
import { OBJECT } from '../well-known.ts'

/**
 * Format for values of a type: `%#5.2f`. Formats for collections also contain separators. Puppet: string_converter.rb.
 */
export interface Format extends Directive {
  /** Directive as written. */
  readonly text: string
  readonly alternate: boolean
  readonly delimiters: readonly [string, string] | undefined
  readonly separator?: string
  readonly separator2?: string
  readonly elements?: FormatMap
}

/** Formats by type, narrowest type first. */
export type FormatMap = readonly (readonly [Type, Format])[]

const formatPattern = /^%([\s[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/m
const delimiters: Readonly<Record<string, readonly [string, string]>> = {
  '[': ['[', ']'],
  '{': ['{', '}'],
  '(': ['(', ')'],
  '<': ['<', '>'],
  '|': ['|', '|'],
}

/** Parses `%<flags><width>.<precision><letter>`. */
function parseFormat(text: string): Format {
  const found = formatPattern.exec(text)
  if (!found) return refuse(`The format '${text}' is not a valid format on the form '%<flags><width>.<prec><format>'`)
  const flags = [...found[1]!]
  if (new Set(flags).size !== flags.length) refuse(`The same flag can only be used once, got '${text}'`)
  const given = flags.filter((flag) => flag in delimiters)
  if (given.length > 1) refuse(`Only one of the delimiters [ { ( < | can be given in the format flags, got '${text}'`)
  return {
    text,
    flags: flags.filter((flag) => !(flag in delimiters)).join(''),
    width: found[2] === undefined ? undefined : boundedWidth(Number(found[2])),
    precision: found[3] === undefined ? undefined : Number(found[3]),
    letter: found[4]!,
    alternate: flags.includes('#'),
    delimiter: given[0],
    delimiters: given[0] ? delimiters[given[0]] : flags.includes(' ') ? ['', ''] : undefined,
  }
}

/** Default formats for the elements of collections, which are printed as Puppet literals. */
export const elementFormats: FormatMap = [[make.ANY, parseFormat('%p')]]

const defaults: FormatMap = [
  [OBJECT, parseFormat('%p')],
  [make.FLOAT, parseFormat('%f')],
  [make.NUMERIC, parseFormat('%d')],
  [make.ARRAY, { ...parseFormat('%a'), separator: ', ', separator2: ', ', elements: elementFormats }],
  [make.HASH, { ...parseFormat('%h'), separator: ', ', separator2: ' => ', elements: elementFormats }],
  [make.BINARY, parseFormat('%B')],
  [make.ANY, parseFormat('%s')],
]

/** Merges the given formats with the defaults for a value. */
export function formatsFor(value: Value, given: Value): FormatMap {
  if (given === undefined || given === DEFAULT) return defaults
  if (typeof given === 'string') return merge(defaults, [[keyFor(inferSet(value)), parseFormat(given)]])
  if (!(given instanceof Hash)) {
    const name = rubyClass(given)
    return refuse(`string conversion expects a Default value or a Hash of type to format mappings, got a '${name}'`)
  }
  return merge(defaults, readFormats(given))
}

/** Format of the first type that accepts `type`. */
export function findFormat(type: Type, formats: FormatMap): Format {
  return formats.find(([key]) => isAssignable(key, type))?.[1] ?? parseFormat('%s')
}

function keyFor(type: Type): Type {
  if (isAssignable(make.ARRAY, type)) return make.ARRAY
  return isAssignable(make.HASH, type) ? make.HASH : type
}

function readFormats(given: Hash): FormatMap {
  return Array.from(given, ([key, value]) => {
    if (!isType(key))
      return refuse(`top level keys in the format hash must be data types, got instance of '${rubyClass(key)}'`)
    return [key, value instanceof Hash ? readContainer(value) : parseFormat(String(value))] as const
  })
}

const containerKeys = ['separator', 'separator2', 'format', 'string_formats']

function readContainer(given: Hash): Format {
  if (given.keys().some((key) => !containerKeys.includes(key as string))) {
    const names = containerKeys.map((key) => `'${key}'`).join(', ')
    refuse(`only ${names} are allowed in a container format, got ${given.keys().join(', ')}`)
  }
  const text = (name: string) => given.get(name) as string | undefined
  const elements = given.get('string_formats')
  return {
    ...parseFormat(text('format') ?? '%s'),
    separator: text('separator'),
    separator2: text('separator2'),
    elements: elements instanceof Hash ? readFormats(elements) : undefined,
  }
}

/**
 * Merges formats. Formats in `higher` replace formats in `lower` for the same type, and hide those for narrower types.
 */
function merge(lower: FormatMap, higher: FormatMap): FormatMap {
  const kept = lower.filter(([low]) => !higher.some(([high]) => !same(low, high) && isAssignable(high, low)))
  const all = kept.map(([type, format]) => {
    const over = higher.find(([high]) => same(high, type))
    return [type, over ? mergeFormat(format, over[1]) : format] as const
  })
  const added = higher.filter(([high]) => !kept.some(([low]) => same(low, high)))
  return [...all, ...added].sort(([a], [b]) => order(a, b))
}

function mergeFormat(low: Format, high: Format): Format {
  const elements = low.elements && high.elements ? merge(low.elements, high.elements) : (high.elements ?? low.elements)
  return {
    ...high,
    separator: high.separator ?? low.separator,
    separator2: high.separator2 ?? low.separator2,
    elements,
  }
}

function same(a: Type, b: Type): boolean {
  return toTypeKey(a) === toTypeKey(b)
}

const ranks: { readonly [Kind in Type['kind']]?: number } = {
  Struct: 1,
  Hash: 2,
  Tuple: 3,
  Array: 4,
  Pattern: 10,
  Enum: 11,
  String: 12,
}

/** Sort order of types, narrower types first. */
function order(a: Type, b: Type): number {
  if (same(a, b)) return 0
  const narrower = isAssignable(b, a)
  const wider = isAssignable(a, b)
  if (narrower !== wider) return narrower ? -1 : 1
  const [first, second] = [ranks[a.kind] ?? 0, ranks[b.kind] ?? 0]
  if (first !== 0 && second !== 0) return first - second
  return printType(a) < printType(b) ? -1 : 1
}
