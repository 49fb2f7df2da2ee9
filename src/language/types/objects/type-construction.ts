import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVerRange } from '../../values/semver.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { type Bounds, isType, type ObjectType, type TupleType, type Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { findBuiltinType } from '../builtin-types.ts'
import * as make from '../constructors.ts'
import { createInitType } from '../init-type.ts'
import { createObjectType } from './make-object.ts'
import { makeTypeSet } from './make-type-set.ts'
import { parameterizeObject } from './object-parameters.ts'

type Get = (name: string) => Value

/** Builds a type of a kind, such as `Integer`, from its attributes. */
export function makeTypeOfKind(kind: string, get: Get): Type | undefined {
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  return reader ? reader(get) : findBuiltinType(kind)
}

const toTypeOrDefault = (value: Value, otherwise: Type): Type => (isType(value) ? value : otherwise)
const toOptionalType = (value: Value): Type | undefined => (isType(value) ? value : undefined)
const toText = (value: Value): string | undefined => (typeof value === 'string' ? value : undefined)
const toTypes = (value: Value): Type[] => (Array.isArray(value) ? value.filter(isType) : [])
const toInteger = (value: Value): number | bigint | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? value : undefined
const toFloat = (value: Value): number | undefined =>
  value instanceof Float ? value.value : typeof value === 'number' ? value : undefined
const toNanoseconds = (value: Value): bigint | undefined =>
  value instanceof Timestamp || value instanceof Timespan ? value.nanoseconds : undefined

function toSize(value: Value): Bounds<number> {
  if (!isType(value) || value.kind !== 'Integer') return make.UNBOUNDED
  const toNumber = (bound: number | bigint | undefined) => (bound === undefined ? undefined : Number(bound))
  return make.createSizeBounds(toNumber(value.from), toNumber(value.to))
}

const readers: Readonly<Record<string, (get: Get) => Type>> = {
  Integer: (get) => make.createIntegerType(toInteger(get('from')), toInteger(get('to'))),
  Float: (get) => make.createFloatType(toFloat(get('from')), toFloat(get('to'))),
  Timestamp: (get) => make.createTimestampType(toNanoseconds(get('from')), toNanoseconds(get('to'))),
  Timespan: (get) => make.createTimespanType(toNanoseconds(get('from')), toNanoseconds(get('to'))),
  String: (get) => {
    const given = get('size_type_or_value')
    return typeof given === 'string' ? make.createLiteralStringType(given) : make.createStringType(toSize(given))
  },
  Enum: (get) => make.createEnumType(get('values') as string[], get('case_insensitive') === true),
  Pattern: (get) =>
    make.createPatternType(
      toTypes(get('patterns')).flatMap((each) => (each.kind === 'Regexp' && each.pattern ? [each.pattern] : [])),
    ),
  Regexp: (get) => make.createRegexpType(get('pattern') === undefined ? undefined : new Regexp(String(get('pattern')))),
  Collection: (get) => make.createCollectionType(toSize(get('size_type'))),
  Array: (get) => make.createArrayType(toOptionalType(get('element_type')), toSize(get('size_type'))),
  Hash: (get) =>
    make.createHashType(toOptionalType(get('key_type')), toOptionalType(get('value_type')), toSize(get('size_type'))),
  Tuple: (get) =>
    make.createTupleType(toTypes(get('types')), isType(get('size_type')) ? toSize(get('size_type')) : undefined),
  Variant: (get) => make.createVariantType(toTypes(get('types'))),
  Callable: (get) =>
    make.createCallableType(
      toOptionalType(get('param_types')) as TupleType | undefined,
      toOptionalType(get('block_type')),
      toOptionalType(get('return_type')),
    ),
  Optional: (get) => make.createOptionalType(toOptionalType(get('type'))),
  NotUndef: (get) => make.createNotUndefType(toOptionalType(get('type'))),
  Type: (get) => make.createTypeType(toOptionalType(get('type'))),
  Iterable: (get) => make.createIterableType(toOptionalType(get('type'))),
  Iterator: (get) => make.createIteratorType(toOptionalType(get('type'))),
  Init: (get) => {
    const type = toOptionalType(get('type'))
    return type ? createInitType(type, (get('init_args') ?? []) as Value[]) : make.INIT
  },
  SemVer: (get) =>
    make.createSemVerType(((get('ranges') ?? []) as Value[]).filter((each) => each instanceof SemVerRange)),
  URI: (get) => make.createUriType((get('parameters') as Hash | undefined) ?? undefined),
  Runtime: (get) => make.createRuntimeType(toText(get('runtime')), toText(get('name_or_pattern'))),
  Resource: (get) => make.createResourceType(toText(get('type_name')), toText(get('title'))),
  Class: (get) => make.createClassType(toText(get('class_name'))),
  TypeAlias: (get) =>
    make.createTypeAliasType(String(get('name')), () => toTypeOrDefault(get('resolved_type'), make.ANY)),
  TypeReference: (get) => make.createTypeReferenceType(String(get('type_string'))),
  Object: (get) => createObjectType(get('_pcore_init_hash') ?? Hash.empty),
  ObjectTypeExten: (get) => {
    const given = get('init_parameters')
    return parameterizeObject(get('base_type') as ObjectType, Array.isArray(given) ? given : [given])
  },
  TypeSet: (get) => makeTypeSet(get('_pcore_init_hash')),
}
