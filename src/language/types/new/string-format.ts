import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { Directive } from '../../ruby-semantics/numbers/format.ts'
import { requireBoundedWidth } from '../../ruby-semantics/size-limits.ts'
import { Hash } from '../../values/hash.ts'
import { toTypeKey } from '../../values/hash-key.ts'
import { isType, type Type } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { inferDetailedType } from '../infer.ts'
import { isAssignable } from '../is-assignable.ts'
import { printType } from '../printing/print.ts'
import { getRubyClassName } from '../ruby-class.ts'
import { OBJECT } from '../standard-types.ts'

/**
 * Format for values of a type: `%#5.2f`. Formats for collections also contain separators. Puppet: string_converter.rb.
 */
export interface StringFormat extends Directive {
  /** Directive as written. */
  readonly text: string
  readonly alternate: boolean
  readonly delimiters: readonly [string, string] | undefined
  readonly separator?: string
  readonly separator2?: string
  readonly elements?: FormatMap
}

/** Formats by type, narrowest type first. */
export type FormatMap = readonly (readonly [Type, StringFormat])[]

const formatPattern = /^%([\s[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/m
const delimiters: Readonly<Record<string, readonly [string, string]>> = {
  '[': ['[', ']'],
  '{': ['{', '}'],
  '(': ['(', ')'],
  '<': ['<', '>'],
  '|': ['|', '|'],
}

/** Parses `%<flags><width>.<precision><letter>`. */
function parseFormat(text: string): StringFormat {
  const found = formatPattern.exec(text)
  if (!found)
    return throwArgumentError(`The format '${text}' is not a valid format on the form '%<flags><width>.<prec><format>'`)
  const flags = [...found[1]!]
  if (new Set(flags).size !== flags.length) throwArgumentError(`The same flag can only be used once, got '${text}'`)
  const given = flags.filter((flag) => flag in delimiters)
  if (given.length > 1)
    throwArgumentError(`Only one of the delimiters [ { ( < | can be given in the format flags, got '${text}'`)
  return {
    text,
    flags: flags.filter((flag) => !(flag in delimiters)).join(''),
    width: found[2] === undefined ? undefined : requireBoundedWidth(Number(found[2])),
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
export function mergeFormats(value: Value, given: Value): FormatMap {
  if (given === undefined || given === DEFAULT) return defaults
  if (typeof given === 'string')
    return mergeMaps(defaults, [[getFormatKey(inferDetailedType(value)), parseFormat(given)]])
  if (!(given instanceof Hash)) {
    const name = getRubyClassName(given)
    return throwArgumentError(
      `string conversion expects a Default value or a Hash of type to format mappings, got a '${name}'`,
    )
  }
  return mergeMaps(defaults, readFormats(given))
}

/** Format of the first type that accepts `type`. */
export function findFormat(type: Type, formats: FormatMap): StringFormat {
  return formats.find(([key]) => isAssignable(key, type))?.[1] ?? parseFormat('%s')
}

function getFormatKey(type: Type): Type {
  if (isAssignable(make.ARRAY, type)) return make.ARRAY
  return isAssignable(make.HASH, type) ? make.HASH : type
}

function readFormats(given: Hash): FormatMap {
  return Array.from(given, ([key, value]) => {
    if (!isType(key))
      return throwArgumentError(
        `top level keys in the format hash must be data types, got instance of '${getRubyClassName(key)}'`,
      )
    return [key, value instanceof Hash ? readContainer(value) : parseFormat(String(value))] as const
  })
}

const containerKeys = ['separator', 'separator2', 'format', 'string_formats']

function readContainer(given: Hash): StringFormat {
  if (given.keys().some((key) => !containerKeys.includes(key as string))) {
    const names = containerKeys.map((key) => `'${key}'`).join(', ')
    throwArgumentError(`only ${names} are allowed in a container format, got ${given.keys().join(', ')}`)
  }
  const readText = (name: string) => given.get(name) as string | undefined
  const elements = given.get('string_formats')
  return {
    ...parseFormat(readText('format') ?? '%s'),
    separator: readText('separator'),
    separator2: readText('separator2'),
    elements: elements instanceof Hash ? readFormats(elements) : undefined,
  }
}

/**
 * Merges formats. Formats in `higher` replace formats in `lower` for the same type, and hide those for narrower types.
 */
function mergeMaps(lower: FormatMap, higher: FormatMap): FormatMap {
  const kept = lower.filter(([low]) => !higher.some(([high]) => !isSameType(low, high) && isAssignable(high, low)))
  const all = kept.map(([type, format]) => {
    const over = higher.find(([high]) => isSameType(high, type))
    return [type, over ? mergeFormat(format, over[1]) : format] as const
  })
  const added = higher.filter(([high]) => !kept.some(([low]) => isSameType(low, high)))
  return [...all, ...added].sort(([a], [b]) => compareTypes(a, b))
}

function mergeFormat(low: StringFormat, high: StringFormat): StringFormat {
  const elements =
    low.elements && high.elements ? mergeMaps(low.elements, high.elements) : (high.elements ?? low.elements)
  return {
    ...high,
    separator: high.separator ?? low.separator,
    separator2: high.separator2 ?? low.separator2,
    elements,
  }
}

function isSameType(a: Type, b: Type): boolean {
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
function compareTypes(a: Type, b: Type): number {
  if (isSameType(a, b)) return 0
  const narrower = isAssignable(b, a)
  const wider = isAssignable(a, b)
  if (narrower !== wider) return narrower ? -1 : 1
  const [first, second] = [ranks[a.kind] ?? 0, ranks[b.kind] ?? 0]
  if (first !== 0 && second !== 0) return first - second
  return printType(a) < printType(b) ? -1 : 1
}
