import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import type * as T from '../../values/type.ts'
import type { Bounds, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { integerType, regexpType } from '../make.ts'
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
  Integer: ({ from, to }) => range(from, to),
  Float: ({ from, to }) => range(from === undefined ? from : new Float(from), to === undefined ? to : new Float(to)),
  Timestamp: ({ from, to }) =>
    range(from === undefined ? from : new Timestamp(from), to === undefined ? to : new Timestamp(to)),
  Timespan: ({ from, to }) =>
    range(from === undefined ? from : new Timespan(from), to === undefined ? to : new Timespan(to)),
  String: ({ size, value }) => present('size_type_or_value', value ?? sizeType(size)),
  Enum: ({ values, caseInsensitive }) => [
    ['values', values],
    ...present('case_insensitive', caseInsensitive || undefined),
  ],
  Pattern: ({ patterns }) => [['patterns', patterns.map((pattern) => regexpType(pattern))]],
  Regexp: ({ pattern }) => present('pattern', pattern?.bare),
  Collection: ({ size }) => present('size_type', sizeType(size)),
  Array: ({ element, size }) => [...containing('element_type', element), ...present('size_type', sizeType(size))],
  Hash: ({ key, value, size }) => {
    const both = key.kind !== 'Any' || value.kind !== 'Any' || sizeType(size) !== undefined
    return both ? [['key_type', key], ['value_type', value], ...present('size_type', sizeType(size))] : []
  },
  Tuple: ({ types, size }) => [['types', types], ...present('size_type', size && sizeType(size))],
  Variant: ({ types }) => [['types', types]],
  Callable: ({ parameters, block, returns }) => [
    ['param_types', parameters],
    ['block_type', block],
    ['return_type', returns],
  ],
  Optional: ({ type }) => containing('type', type),
  NotUndef: ({ type }) => containing('type', type),
  Type: ({ type }) => containing('type', type),
  Iterable: ({ type }) => containing('type', type),
  Iterator: ({ type }) => containing('type', type),
  Init: ({ type, arguments: args }) =>
    type
      ? [
          ['type', type],
          ['init_args', args],
        ]
      : [],
  SemVer: ({ ranges }) => (ranges.length === 0 ? [] : [['ranges', ranges]]),
  URI: ({ parameters }) => present('parameters', parameters),
  Runtime: ({ runtime, name }) => [...present('runtime', runtime), ...present('name_or_pattern', name)],
  Resource: ({ typeName, title }) =>
    typeName === undefined ? [] : [['type_name', capitalizeSegments(typeName)], ...present('title', title)],
  Class: ({ className }) => present('class_name', className),
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

function present(name: string, value: Value): readonly TypeField[] {
  return value === undefined ? [] : [[name, value]]
}

function containing(name: string, type: Type): readonly TypeField[] {
  return type.kind === 'Any' ? [] : [[name, type]]
}

function range(from: Value, to: Value): readonly TypeField[] {
  if (to === undefined) return present('from', from)
  return [
    ['from', from],
    ['to', to],
  ]
}

function sizeType({ from, to }: Bounds<number>): T.IntegerType | undefined {
  return from === undefined && to === undefined ? undefined : integerType(from, to)
}
