import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVerRange } from '../../values/semver.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { type Bounds, isType, type ObjectType, type TupleType, type Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../make.ts'
import { initType } from '../make-init.ts'
import { builtinType } from '../names.ts'
import { objectType } from './make-object.ts'
import { makeTypeSet } from './make-type-set.ts'
import { withParameters } from './object-parameters.ts'

type Get = (name: string) => Value

/** Builds a type of a kind, such as `Integer`, from its attributes. */
export function makeTypeOfKind(kind: string, get: Get): Type | undefined {
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  return reader ? reader(get) : builtinType(kind)
}

const typeOr = (value: Value, otherwise: Type): Type => (isType(value) ? value : otherwise)
const typeOrNone = (value: Value): Type | undefined => (isType(value) ? value : undefined)
const text = (value: Value): string | undefined => (typeof value === 'string' ? value : undefined)
const types = (value: Value): Type[] => (Array.isArray(value) ? value.filter(isType) : [])
const integer = (value: Value): number | bigint | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? value : undefined
const float = (value: Value): number | undefined =>
  value instanceof Float ? value.value : typeof value === 'number' ? value : undefined
const nanoseconds = (value: Value): bigint | undefined =>
  value instanceof Timestamp || value instanceof Timespan ? value.nanoseconds : undefined

function size(value: Value): Bounds<number> {
  if (!isType(value) || value.kind !== 'Integer') return make.UNBOUNDED
  const number = (bound: number | bigint | undefined) => (bound === undefined ? undefined : Number(bound))
  return make.sizeBounds(number(value.from), number(value.to))
}

const readers: Readonly<Record<string, (get: Get) => Type>> = {
  Integer: (get) => make.integerType(integer(get('from')), integer(get('to'))),
  Float: (get) => make.floatType(float(get('from')), float(get('to'))),
  Timestamp: (get) => make.timestampType(nanoseconds(get('from')), nanoseconds(get('to'))),
  Timespan: (get) => make.timespanType(nanoseconds(get('from')), nanoseconds(get('to'))),
  String: (get) => {
    const given = get('size_type_or_value')
    return typeof given === 'string' ? make.literalStringType(given) : make.stringType(size(given))
  },
  Enum: (get) => make.enumType(get('values') as string[], get('case_insensitive') === true),
  Pattern: (get) =>
    make.patternType(
      types(get('patterns')).flatMap((each) => (each.kind === 'Regexp' && each.pattern ? [each.pattern] : [])),
    ),
  Regexp: (get) => make.regexpType(get('pattern') === undefined ? undefined : new Regexp(String(get('pattern')))),
  Collection: (get) => make.collectionType(size(get('size_type'))),
  Array: (get) => make.arrayType(typeOrNone(get('element_type')), size(get('size_type'))),
  Hash: (get) => make.hashType(typeOrNone(get('key_type')), typeOrNone(get('value_type')), size(get('size_type'))),
  Tuple: (get) => make.tupleType(types(get('types')), isType(get('size_type')) ? size(get('size_type')) : undefined),
  Variant: (get) => make.variantType(types(get('types'))),
  Callable: (get) =>
    make.callableType(
      typeOrNone(get('param_types')) as TupleType | undefined,
      typeOrNone(get('block_type')),
      typeOrNone(get('return_type')),
    ),
  Optional: (get) => make.optionalType(typeOrNone(get('type'))),
  NotUndef: (get) => make.notUndefType(typeOrNone(get('type'))),
  Type: (get) => make.typeType(typeOrNone(get('type'))),
  Iterable: (get) => make.iterableType(typeOrNone(get('type'))),
  Iterator: (get) => make.iteratorType(typeOrNone(get('type'))),
  Init: (get) => {
    const type = typeOrNone(get('type'))
    return type ? initType(type, (get('init_args') ?? []) as Value[]) : make.INIT
  },
  SemVer: (get) => make.semVerType(((get('ranges') ?? []) as Value[]).filter((each) => each instanceof SemVerRange)),
  URI: (get) => make.uriType((get('parameters') as Hash | undefined) ?? undefined),
  Runtime: (get) => make.runtimeType(text(get('runtime')), text(get('name_or_pattern'))),
  Resource: (get) => make.resourceType(text(get('type_name')), text(get('title'))),
  Class: (get) => make.classType(text(get('class_name'))),
  TypeAlias: (get) => make.typeAliasType(String(get('name')), () => typeOr(get('resolved_type'), make.ANY)),
  TypeReference: (get) => make.typeReferenceType(String(get('type_string'))),
  Object: (get) => objectType(get('_pcore_init_hash') ?? Hash.empty),
  ObjectTypeExten: (get) => {
    const given = get('init_parameters')
    return withParameters(get('base_type') as ObjectType, Array.isArray(given) ? given : [given])
  },
  TypeSet: (get) => makeTypeSet(get('_pcore_init_hash')),
}
