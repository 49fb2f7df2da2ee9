import { Regexp } from '../../values/regexp.ts'
import type { AttributeDefinition, ObjectType, StructElement, TupleType, Type } from '../../values/type.ts'
import * as make from '../constructors.ts'
import { getAttributes } from '../objects/object-inheritance.ts'
import { INTEGER_TEXT, NUMBER_TEXT, STRING_FORMAT, VERSION_QUALIFIER, VERSION_TEXT } from './patterns.ts'

/**
 * Parameter types for each signature of a type's `new`; `undefined` if the type has no `new`. The files in `new/`
 * declare the parameters as text, but `Init` needs their types before text can be parsed.
 */
export function getNewParameters(type: Type, takesUndef: (type: Type) => boolean): readonly TupleType[] | undefined {
  if (type.kind === 'TypeAlias') return getNewParameters(type.resolved, takesUndef)
  if (type.kind === 'Object')
    return type.initHash === undefined ? undefined : getObjectParameters(type, takesUndef).map(({ tuple }) => tuple)
  return parameters[type.kind]
}

/** Parameters of an Object type's `new`, with names: a single hash, or the attributes in order. */
export function getObjectParameters(type: ObjectType, takesUndef: (type: Type) => boolean) {
  const settable = [...getAttributes(type).values()].filter(({ kind }) => kind !== 'constant' && kind !== 'derived')
  const isRequired = (each: AttributeDefinition) => !each.hasValue && !takesUndef(each.type)
  const required = settable.filter(isRequired)
  const ordered = [...required, ...settable.filter((each) => !isRequired(each))]
  const hash = make.createStructType(
    settable.map((each) => ({ name: each.name, optional: !isRequired(each), value: each.type })),
  )
  const types = ordered.map((each) => each.type)
  return [
    { tuple: createSingleTuple(hash), names: ['hash'] },
    {
      tuple: make.createTupleType(types, make.createSizeBounds(required.length, types.length)),
      names: ordered.map((each) => each.name),
    },
  ] as const
}

/** A tuple of the given types. The first `least` types are required. */
function createTuple(least: number, ...types: Type[]): TupleType {
  return make.createTupleType(types, make.createSizeBounds(least, types.length))
}

function createSingleTuple(type: Type): TupleType {
  return createTuple(1, type)
}

const createRequiredKey = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const createOptionalKey = (name: string, value: Type): StructElement => ({ name, optional: true, value })
const createPattern = (text: string): Type => make.createPatternType([new Regexp(text)])
const text = make.NON_EMPTY_STRING
const integer = make.INTEGER

function createConvertible(pattern: string): Type {
  return make.createVariantType([make.NUMERIC, make.BOOLEAN, createPattern(pattern), make.TIMESPAN, make.TIMESTAMP])
}

const radix = make.createVariantType([
  make.DEFAULT_TYPE,
  ...[2, 8, 10, 16].map((each) => make.createIntegerType(each, each)),
])
const whole = createConvertible(INTEGER_TEXT)
const number = createConvertible(NUMBER_TEXT)
const numbers = [
  createTuple(1, number, make.BOOLEAN),
  createSingleTuple(make.createStructType([createRequiredKey('from', number), createOptionalKey('abs', make.BOOLEAN)])),
]

const format = createPattern(STRING_FORMAT)
const containerFormat = make.createStructType([
  createOptionalKey('format', format),
  createOptionalKey('separator', make.STRING),
  createOptionalKey('separator2', make.STRING),
  createOptionalKey('string_formats', make.createHashType(make.TYPE, format)),
])
const formats = make.createVariantType([
  make.DEFAULT_TYPE,
  text,
  make.createHashType(make.TYPE, make.createVariantType([format, containerFormat])),
])

const arrays = [
  createTuple(
    1,
    make.createVariantType([make.ARRAY, make.HASH, make.BINARY, make.ITERABLE]),
    make.createBooleanType(false),
  ),
  createTuple(2, make.ANY, make.createBooleanType(true)),
]
const createPairs = (first: Type): Type =>
  make.createArrayType(make.createTupleType([first, make.ANY]), make.createSizeBounds(1))
const hashes = [
  createTuple(1, createPairs(make.ARRAY), make.createEnumType(['tree', 'hash_tree'])),
  createSingleTuple(createPairs(make.ANY)),
  createSingleTuple(make.ANY),
]

const seconds = make.createVariantType([make.INTEGER, make.FLOAT])
const timeFormats = make.createVariantType([
  make.createStringType(make.createSizeBounds(2)),
  make.createArrayType(make.createStringType(make.createSizeBounds(2)), make.createSizeBounds(1)),
])
const units = ['days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds']

const natural = make.createIntegerType(0)
const qualifier = createPattern(VERSION_QUALIFIER)
const end = make.createVariantType([make.DEFAULT_TYPE, make.SEMVER])
const base64 = make.createEnumType(['%b', '%u', '%B', '%s', '%r'])
const bytes = make.createArrayType(make.createIntegerType(0, 255))
const uriParts = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque']

const parameters: { readonly [Kind in Type['kind']]?: readonly TupleType[] } = {
  Integer: [
    createTuple(1, whole, radix, make.BOOLEAN),
    createSingleTuple(
      make.createStructType([
        createRequiredKey('from', whole),
        createOptionalKey('radix', radix),
        createOptionalKey('abs', make.BOOLEAN),
      ]),
    ),
  ],
  Float: numbers,
  Numeric: numbers,
  Boolean: [
    createSingleTuple(
      make.createVariantType([
        ...[make.INTEGER, make.FLOAT, make.BOOLEAN],
        make.createEnumType(['false', 'true', 'yes', 'no', 'y', 'n'], true),
      ]),
    ),
  ],
  String: [createTuple(1, make.ANY, formats)],
  Array: arrays,
  Tuple: arrays,
  Hash: hashes,
  Struct: hashes,
  Regexp: [createTuple(1, make.STRING, make.BOOLEAN)],
  Sensitive: [createSingleTuple(make.ANY)],
  Type: [createSingleTuple(text)],
  Unit: [createSingleTuple(make.ANY)],
  Timespan: [
    createSingleTuple(seconds),
    createTuple(1, text, timeFormats),
    createTuple(4, ...units.map(() => integer)),
    createSingleTuple(
      make.createStructType([createRequiredKey('string', text), createOptionalKey('format', timeFormats)]),
    ),
    createSingleTuple(
      make.createStructType([
        createOptionalKey('negative', make.BOOLEAN),
        ...units.map((unit) => createOptionalKey(unit, integer)),
      ]),
    ),
  ],
  Timestamp: [
    createTuple(0),
    createSingleTuple(seconds),
    createTuple(1, text, timeFormats, text),
    createSingleTuple(
      make.createStructType([
        createRequiredKey('string', text),
        createOptionalKey('format', timeFormats),
        createOptionalKey('timezone', text),
      ]),
    ),
  ],
  SemVer: [
    createSingleTuple(createPattern(VERSION_TEXT)),
    createTuple(3, natural, natural, natural, qualifier, qualifier),
    createSingleTuple(
      make.createStructType([
        ...['major', 'minor', 'patch'].map((name) => createRequiredKey(name, natural)),
        ...['prerelease', 'build'].map((name) => createOptionalKey(name, qualifier)),
      ]),
    ),
  ],
  SemVerRange: [
    createSingleTuple(text),
    createTuple(2, end, end, make.BOOLEAN),
    createSingleTuple(
      make.createStructType([
        createRequiredKey('min', end),
        createOptionalKey('max', end),
        createOptionalKey('exclude_max', make.BOOLEAN),
      ]),
    ),
  ],
  Binary: [
    createTuple(1, make.STRING, base64),
    createSingleTuple(bytes),
    createSingleTuple(
      make.createVariantType([
        make.createStructType([
          createRequiredKey('value', make.STRING),
          createOptionalKey('format', make.createOptionalType(base64)),
        ]),
        make.createStructType([createRequiredKey('value', bytes)]),
      ]),
    ),
  ],
  URI: [
    createSingleTuple(text),
    createSingleTuple(
      make.createStructType(uriParts.map((name) => createOptionalKey(name, name === 'port' ? natural : text))),
    ),
  ],
}
