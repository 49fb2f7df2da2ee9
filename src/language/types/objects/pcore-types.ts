import { Hash } from '../../values/hash.ts'
import type { ObjectType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { URI_PARAMETERS } from '../uri-parameters.ts'
import { createNamedObjectType } from './make-object.ts'
import { OBJECT_INITIALIZER } from './object-initializer.ts'
import { pcoreParents } from './pcore-inheritance.ts'
import { TYPE_SET_INITIALIZER } from './type-set-initializer.ts'

type Attributes = Readonly<Record<string, Value>>

/** Describes an attribute with a default. */
const describeAttribute = (type: Type, value?: Value): Hash => Hash.from({ type, value })
const describeOptional = (type: Type, value?: Value): Hash => describeAttribute(make.createOptionalType(type), value)
const text = describeOptional(make.NON_EMPTY_STRING)
const size = describeOptional(make.createTypeType(make.INTEGER))
const contained: Attributes = { type: describeOptional(make.TYPE) }
const describeRange = (type: Type): Attributes => ({ from: describeOptional(type), to: describeOptional(type) })
const element = 'Pcore::StructElement'

/** Attributes of each Pcore type. Puppet: types/types.rb, `register_ptype`. */
const attributes: Readonly<Record<string, Attributes>> = {
  ArrayType: { element_type: describeOptional(make.TYPE, make.ANY) },
  CallableType: {
    param_types: describeOptional(make.createTypeType(make.TUPLE)),
    block_type: describeOptional(make.createTypeType(make.CALLABLE)),
    return_type: describeOptional(make.TYPE, make.ANY),
  },
  ClassType: { class_name: text },
  CollectionType: { size_type: size },
  EnumType: {
    values: make.createArrayType(make.NON_EMPTY_STRING),
    case_insensitive: describeAttribute(make.BOOLEAN, false),
  },
  HashType: { key_type: describeOptional(make.TYPE, make.ANY), value_type: describeOptional(make.TYPE, make.ANY) },
  InitType: { ...contained, init_args: describeAttribute(make.ARRAY, []) },
  IterableType: contained,
  IteratorType: contained,
  NotUndefType: contained,
  NumericType: describeRange(make.NUMERIC),
  ObjectType: { _pcore_init_hash: OBJECT_INITIALIZER },
  OptionalType: contained,
  PatternType: { patterns: make.createArrayType(make.REGEXP) },
  RegexpType: { pattern: describeAttribute(make.createVariantType([make.UNDEF, make.STRING, make.REGEXP])) },
  ResourceType: { type_name: text, title: text },
  RuntimeType: {
    runtime: text,
    name_or_pattern: describeOptional(
      make.createVariantType([make.NON_EMPTY_STRING, make.createTupleType([make.REGEXP, make.NON_EMPTY_STRING])]),
    ),
  },
  SemVerType: {
    ranges: describeAttribute(
      make.createArrayType(make.createVariantType([make.SEMVER_RANGE, make.NON_EMPTY_STRING])),
      [],
    ),
  },
  StringType: {
    size_type_or_value: describeOptional(make.createVariantType([make.STRING, make.createTypeType(make.INTEGER)])),
  },
  TimespanType: describeRange(make.TIMESPAN),
  TimestampType: describeRange(make.TIMESTAMP),
  TupleType: { types: make.createArrayType(make.TYPE), size_type: size },
  TypeAliasType: { name: make.NON_EMPTY_STRING, type_expr: make.ANY, resolved_type: describeOptional(make.TYPE) },
  TypeReferenceType: { type_string: make.NON_EMPTY_STRING },
  TypeSetType: { _pcore_init_hash: TYPE_SET_INITIALIZER },
  TypeType: contained,
  URIType: { parameters: describeOptional(make.createVariantType([make.NON_EMPTY_STRING, URI_PARAMETERS])) },
  VariantType: { types: make.createArrayType(make.TYPE) },
}

function createPcoreType(name: string, parent: string | undefined): ObjectType {
  return createNamedObjectType(`Pcore::${name}`, () => {
    const own = name === 'StructType' ? { elements: make.createArrayType(PCORE_TYPES.get(element)!) } : attributes[name]
    const inherited = parent === undefined ? make.ANY : PCORE_TYPES.get(`Pcore::${parent}`)!
    return Hash.from({ parent: inherited, ...(own && { attributes: Hash.from(own) }) })
  })
}

/** Pcore types by name. */
export const PCORE_TYPES: ReadonlyMap<string, ObjectType> = new Map([
  ...Object.entries(pcoreParents).map(([name, parent]) => [`Pcore::${name}`, createPcoreType(name, parent)] as const),
  [
    element,
    createNamedObjectType(element, () =>
      Hash.from({ attributes: Hash.from({ key_type: make.TYPE, value_type: make.TYPE }) }),
    ),
  ],
  ['Pcore', createNamedObjectType('Pcore', () => Hash.empty)],
])
