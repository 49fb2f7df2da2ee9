import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import type * as T from '../../values/type.ts'
import type { Bounds, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { createIntegerType, createRegexpType } from '../constructors.ts'
import { capitalizeSegments } from '../printing/print.ts'
import { getInitParameters } from './init-parameters.ts'

/** Name and value of an attribute of a type. */
export type TypeField = readonly [name: string, value: Value]

/**
 * Returns the attributes with which a type is serialized (as `Pcore::IntegerType` and others), without defaults at the
 * end.
 */
export function getTypeFields(type: Type): readonly TypeField[] {
  const rule = fields[type.kind] as ((type: Type) => readonly TypeField[]) | undefined
  return rule ? rule(type) : []
}

type Rules = { readonly [Kind in Type['kind']]?: (type: Extract<Type, { kind: Kind }>) => readonly TypeField[] }

const fields: Rules = {
  Integer: ({ from, to }) => createRangeFields(from, to),
  Float: ({ from, to }) =>
    createRangeFields(from === undefined ? from : new Float(from), to === undefined ? to : new Float(to)),
  Timestamp: ({ from, to }) =>
    createRangeFields(from === undefined ? from : new Timestamp(from), to === undefined ? to : new Timestamp(to)),
  Timespan: ({ from, to }) =>
    createRangeFields(from === undefined ? from : new Timespan(from), to === undefined ? to : new Timespan(to)),
  String: ({ size, value }) => createField('size_type_or_value', value ?? toSizeType(size)),
  Enum: ({ values, caseInsensitive }) => [
    ['values', values],
    ...createField('case_insensitive', caseInsensitive || undefined),
  ],
  Pattern: ({ patterns }) => [['patterns', patterns.map((pattern) => createRegexpType(pattern))]],
  Regexp: ({ pattern }) => createField('pattern', pattern?.bare),
  Collection: ({ size }) => createField('size_type', toSizeType(size)),
  Array: ({ element, size }) => [
    ...createTypeField('element_type', element),
    ...createField('size_type', toSizeType(size)),
  ],
  Hash: ({ key, value, size }) => {
    const both = key.kind !== 'Any' || value.kind !== 'Any' || toSizeType(size) !== undefined
    return both ? [['key_type', key], ['value_type', value], ...createField('size_type', toSizeType(size))] : []
  },
  Tuple: ({ types, size }) => [['types', types], ...createField('size_type', size && toSizeType(size))],
  Variant: ({ types }) => [['types', types]],
  Callable: ({ parameters, block, returns }) => [
    ['param_types', parameters],
    ['block_type', block],
    ['return_type', returns],
  ],
  Optional: ({ type }) => createTypeField('type', type),
  NotUndef: ({ type }) => createTypeField('type', type),
  Type: ({ type }) => createTypeField('type', type),
  Iterable: ({ type }) => createTypeField('type', type),
  Iterator: ({ type }) => createTypeField('type', type),
  Init: ({ type, arguments: args }) =>
    type
      ? [
          ['type', type],
          ['init_args', args],
        ]
      : [],
  SemVer: ({ ranges }) => (ranges.length === 0 ? [] : [['ranges', ranges]]),
  URI: ({ parameters }) => createField('parameters', parameters),
  Runtime: ({ runtime, name }) => [...createField('runtime', runtime), ...createField('name_or_pattern', name)],
  Resource: ({ typeName, title }) =>
    typeName === undefined ? [] : [['type_name', capitalizeSegments(typeName)], ...createField('title', title)],
  Class: ({ className }) => createField('class_name', className),
  TypeAlias: ({ name, resolved }) => [
    ['name', name],
    ['type_expr', undefined],
    ['resolved_type', resolved],
  ],
  TypeReference: ({ typeString }) => [['type_string', typeString]],
  Object: (type) =>
    type.parameters
      ? [
          ['base_type', Object.freeze({ ...type, parameters: undefined })],
          ['init_parameters', getInitParameters(type)],
        ]
      : [['_pcore_init_hash', type.initHash ?? Hash.empty]],
  TypeSet: ({ initHash }) => [['_pcore_init_hash', initHash]],
}

function createField(name: string, value: Value): readonly TypeField[] {
  return value === undefined ? [] : [[name, value]]
}

function createTypeField(name: string, type: Type): readonly TypeField[] {
  return type.kind === 'Any' ? [] : [[name, type]]
}

function createRangeFields(from: Value, to: Value): readonly TypeField[] {
  if (to === undefined) return createField('from', from)
  return [
    ['from', from],
    ['to', to],
  ]
}

function toSizeType({ from, to }: Bounds<number>): T.IntegerType | undefined {
  return from === undefined && to === undefined ? undefined : createIntegerType(from, to)
}
