import { Hash } from '../../values/hash.ts'
import type { ObjectType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../make.ts'
import { URI_PARAMETERS } from '../uri-parameters.ts'
import { namedObjectType } from './make-object.ts'
import { OBJECT_INITIALIZER } from './object-initializer.ts'
import { pcoreParents } from './pcore-lineage.ts'
import { TYPE_SET_INITIALIZER } from './type-set-initializer.ts'

type Attributes = Readonly<Record<string, Value>>

/** Describes an attribute with a default. */
const or = (type: Type, value?: Value): Hash => Hash.from({ type, value })
const optional = (type: Type, value?: Value): Hash => or(make.optionalType(type), value)
const text = optional(make.NON_EMPTY_STRING)
const size = optional(make.typeType(make.INTEGER))
const contained: Attributes = { type: optional(make.TYPE) }
const range = (type: Type): Attributes => ({ from: optional(type), to: optional(type) })
const element = 'Pcore::StructElement'

/** Attributes of each Pcore type. Puppet: types/types.rb, `register_ptype`. */
const attributes: Readonly<Record<string, Attributes>> = {
  ArrayType: { element_type: optional(make.TYPE, make.ANY) },
  CallableType: {
    param_types: optional(make.typeType(make.TUPLE)),
    block_type: optional(make.typeType(make.CALLABLE)),
    return_type: optional(make.TYPE, make.ANY),
  },
  ClassType: { class_name: text },
  CollectionType: { size_type: size },
  EnumType: { values: make.arrayType(make.NON_EMPTY_STRING), case_insensitive: or(make.BOOLEAN, false) },
  HashType: { key_type: optional(make.TYPE, make.ANY), value_type: optional(make.TYPE, make.ANY) },
  InitType: { ...contained, init_args: or(make.ARRAY, []) },
  IterableType: contained,
  IteratorType: contained,
  NotUndefType: contained,
  NumericType: range(make.NUMERIC),
  ObjectType: { _pcore_init_hash: OBJECT_INITIALIZER },
  OptionalType: contained,
  PatternType: { patterns: make.arrayType(make.REGEXP) },
  RegexpType: { pattern: or(make.variantType([make.UNDEF, make.STRING, make.REGEXP])) },
  ResourceType: { type_name: text, title: text },
  RuntimeType: {
    runtime: text,
    name_or_pattern: optional(
      make.variantType([make.NON_EMPTY_STRING, make.tupleType([make.REGEXP, make.NON_EMPTY_STRING])]),
    ),
  },
  SemVerType: { ranges: or(make.arrayType(make.variantType([make.SEMVER_RANGE, make.NON_EMPTY_STRING])), []) },
  StringType: { size_type_or_value: optional(make.variantType([make.STRING, make.typeType(make.INTEGER)])) },
  TimespanType: range(make.TIMESPAN),
  TimestampType: range(make.TIMESTAMP),
  TupleType: { types: make.arrayType(make.TYPE), size_type: size },
  TypeAliasType: { name: make.NON_EMPTY_STRING, type_expr: make.ANY, resolved_type: optional(make.TYPE) },
  TypeReferenceType: { type_string: make.NON_EMPTY_STRING },
  TypeSetType: { _pcore_init_hash: TYPE_SET_INITIALIZER },
  TypeType: contained,
  URIType: { parameters: optional(make.variantType([make.NON_EMPTY_STRING, URI_PARAMETERS])) },
  VariantType: { types: make.arrayType(make.TYPE) },
}

function pcoreType(name: string, parent: string | undefined): ObjectType {
  return namedObjectType(`Pcore::${name}`, () => {
    const own = name === 'StructType' ? { elements: make.arrayType(PCORE_TYPES.get(element)!) } : attributes[name]
    const inherited = parent === undefined ? make.ANY : PCORE_TYPES.get(`Pcore::${parent}`)!
    return Hash.from({ parent: inherited, ...(own && { attributes: Hash.from(own) }) })
  })
}

/** Pcore types by name. */
export const PCORE_TYPES: ReadonlyMap<string, ObjectType> = new Map([
  ...Object.entries(pcoreParents).map(([name, parent]) => [`Pcore::${name}`, pcoreType(name, parent)] as const),
  [
    element,
    namedObjectType(element, () =>
      Hash.from({ attributes: Hash.from({ key_type: make.TYPE, value_type: make.TYPE }) }),
    ),
  ],
  ['Pcore', namedObjectType('Pcore', () => Hash.empty)],
])
