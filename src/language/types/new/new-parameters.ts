import { Regexp } from '../../values/regexp.ts'
import type { AttributeDefinition, ObjectType, StructElement, TupleType, Type } from '../../values/type.ts'
import * as make from '../make.ts'
import { getAttributes } from '../objects/object-lineage.ts'
import { INTEGER_TEXT, NUMBER_TEXT, STRING_FORMAT, VERSION_QUALIFIER, VERSION_TEXT } from './patterns.ts'

/**
 * Parameter types for each signature of a type's `new`; `undefined` if the type has no `new`. The files in `new/`
 * declare the parameters as text, but `Init` needs their types before text can be parsed.
 */
export function getNewParameters(type: Type, takesUndef: (type: Type) => boolean): readonly TupleType[] | undefined {
  if (type.kind === 'TypeAlias') return getNewParameters(type.resolved, takesUndef)
  if (type.kind === 'Object')
    return type.initHash === undefined ? undefined : objectParameters(type, takesUndef).map(({ tuple }) => tuple)
  return parameters[type.kind]
}

/** Parameters of an Object type's `new`, with names: a single hash, or the attributes in order. */
export function objectParameters(type: ObjectType, takesUndef: (type: Type) => boolean) {
  const settable = [...getAttributes(type).values()].filter(({ kind }) => kind !== 'constant' && kind !== 'derived')
  const isRequired = (each: AttributeDefinition) => !each.hasValue && !takesUndef(each.type)
  const required = settable.filter(isRequired)
  const ordered = [...required, ...settable.filter((each) => !isRequired(each))]
  const hash = make.structType(
    settable.map((each) => ({ name: each.name, optional: !isRequired(each), value: each.type })),
  )
  const types = ordered.map((each) => each.type)
  return [
    { tuple: one(hash), names: ['hash'] },
    {
      tuple: make.tupleType(types, make.sizeBounds(required.length, types.length)),
      names: ordered.map((each) => each.name),
    },
  ] as const
}

/** A tuple of the given types. The first `least` types are required. */
function some(least: number, ...types: Type[]): TupleType {
  return make.tupleType(types, make.sizeBounds(least, types.length))
}

function one(type: Type): TupleType {
  return some(1, type)
}

const key = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const maybe = (name: string, value: Type): StructElement => ({ name, optional: true, value })
const matching = (text: string): Type => make.patternType([new Regexp(text)])
const text = make.NON_EMPTY_STRING
const integer = make.INTEGER

function convertible(pattern: string): Type {
  return make.variantType([make.NUMERIC, make.BOOLEAN, matching(pattern), make.TIMESPAN, make.TIMESTAMP])
}

const radix = make.variantType([make.DEFAULT_TYPE, ...[2, 8, 10, 16].map((each) => make.integerType(each, each))])
const whole = convertible(INTEGER_TEXT)
const number = convertible(NUMBER_TEXT)
const numbers = [some(1, number, make.BOOLEAN), one(make.structType([key('from', number), maybe('abs', make.BOOLEAN)]))]

const format = matching(STRING_FORMAT)
const containerFormat = make.structType([
  maybe('format', format),
  maybe('separator', make.STRING),
  maybe('separator2', make.STRING),
  maybe('string_formats', make.hashType(make.TYPE, format)),
])
const formats = make.variantType([
  make.DEFAULT_TYPE,
  text,
  make.hashType(make.TYPE, make.variantType([format, containerFormat])),
])

const arrays = [
  some(1, make.variantType([make.ARRAY, make.HASH, make.BINARY, make.ITERABLE]), make.booleanType(false)),
  some(2, make.ANY, make.booleanType(true)),
]
const pairs = (first: Type): Type => make.arrayType(make.tupleType([first, make.ANY]), make.sizeBounds(1))
const hashes = [some(1, pairs(make.ARRAY), make.enumType(['tree', 'hash_tree'])), one(pairs(make.ANY)), one(make.ANY)]

const seconds = make.variantType([make.INTEGER, make.FLOAT])
const timeFormats = make.variantType([
  make.stringType(make.sizeBounds(2)),
  make.arrayType(make.stringType(make.sizeBounds(2)), make.sizeBounds(1)),
])
const units = ['days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds']

const natural = make.integerType(0)
const qualifier = matching(VERSION_QUALIFIER)
const end = make.variantType([make.DEFAULT_TYPE, make.SEMVER])
const base64 = make.enumType(['%b', '%u', '%B', '%s', '%r'])
const bytes = make.arrayType(make.integerType(0, 255))
const uriParts = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque']

const parameters: { readonly [Kind in Type['kind']]?: readonly TupleType[] } = {
  Integer: [
    some(1, whole, radix, make.BOOLEAN),
    one(make.structType([key('from', whole), maybe('radix', radix), maybe('abs', make.BOOLEAN)])),
  ],
  Float: numbers,
  Numeric: numbers,
  Boolean: [
    one(
      make.variantType([
        ...[make.INTEGER, make.FLOAT, make.BOOLEAN],
        make.enumType(['false', 'true', 'yes', 'no', 'y', 'n'], true),
      ]),
    ),
  ],
  String: [some(1, make.ANY, formats)],
  Array: arrays,
  Tuple: arrays,
  Hash: hashes,
  Struct: hashes,
  Regexp: [some(1, make.STRING, make.BOOLEAN)],
  Sensitive: [one(make.ANY)],
  Type: [one(text)],
  Unit: [one(make.ANY)],
  Timespan: [
    one(seconds),
    some(1, text, timeFormats),
    some(4, ...units.map(() => integer)),
    one(make.structType([key('string', text), maybe('format', timeFormats)])),
    one(make.structType([maybe('negative', make.BOOLEAN), ...units.map((unit) => maybe(unit, integer))])),
  ],
  Timestamp: [
    some(0),
    one(seconds),
    some(1, text, timeFormats, text),
    one(make.structType([key('string', text), maybe('format', timeFormats), maybe('timezone', text)])),
  ],
  SemVer: [
    one(matching(VERSION_TEXT)),
    some(3, natural, natural, natural, qualifier, qualifier),
    one(
      make.structType([
        ...['major', 'minor', 'patch'].map((name) => key(name, natural)),
        ...['prerelease', 'build'].map((name) => maybe(name, qualifier)),
      ]),
    ),
  ],
  SemVerRange: [
    one(text),
    some(2, end, end, make.BOOLEAN),
    one(make.structType([key('min', end), maybe('max', end), maybe('exclude_max', make.BOOLEAN)])),
  ],
  Binary: [
    some(1, make.STRING, base64),
    one(bytes),
    one(
      make.variantType([
        make.structType([key('value', make.STRING), maybe('format', make.optionalType(base64))]),
        make.structType([key('value', bytes)]),
      ]),
    ),
  ],
  URI: [one(text), one(make.structType(uriParts.map((name) => maybe(name, name === 'port' ? natural : text))))],
}
