import { isMatch } from '../ruby-semantics/regexp/match.ts'
import { Binary } from '../values/binary.ts'
import { Callable } from '../values/callable.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { toTypeKey } from '../values/hash-key.ts'
import { IteratorValue } from '../values/iterator.ts'
import { ObjectValue } from '../values/object.ts'
import { Regexp } from '../values/regexp.ts'
import { RuntimeValue } from '../values/runtime-value.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import type * as T from '../values/type.ts'
import { type Bounds, isType, type Type } from '../values/type.ts'
import { Uri } from '../values/uri.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import * as make from './constructors.ts'
import { inferType } from './infer.ts'
import { getTupleSize, hasMatchingParameters, isAssignable, isEnumValue } from './is-assignable.ts'
import { isPcoreInstance } from './objects/pcore-inheritance.ts'
import { RICH_DATA } from './standard-types.ts'
import { isInstanceOfUri } from './uri-parameters.ts'

/** True if the value is an instance of the type. Puppet: types/types.rb, `instance?`. */
export function isInstance(type: Type, value: Value): boolean {
  const rule = rules[type.kind] as (type: Type, value: Value) => boolean
  return rule(type, value)
}

type Rules = { readonly [Kind in Type['kind']]: (type: Extract<Type, { kind: Kind }>, value: Value) => boolean }

const isInteger = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
const isScalarData = (value: Value): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || isInteger(value) || value instanceof Float
const isInstanceByInference = (type: Type, value: Value): boolean => isAssignable(type, inferType(value))

const rules: Rules = {
  Any: () => true,
  Unit: () => true,
  Undef: (_, value) => value === undefined,
  Default: (_, value) => value === DEFAULT,
  Scalar: (_, value) =>
    isScalarData(value) ||
    value instanceof Regexp ||
    value instanceof SemVer ||
    value instanceof SemVerRange ||
    value instanceof Timespan ||
    value instanceof Timestamp,
  ScalarData: (_, value) => isScalarData(value),
  Numeric: (_, value) => isInteger(value) || value instanceof Float,
  CatalogEntry: isInstanceByInference,
  SemVerRange: (_, value) => value instanceof SemVerRange,
  Binary: (_, value) => value instanceof Binary,
  Integer: (type, value) => isInteger(value) && isWithinBounds(type, value),
  Float: (type, value) => value instanceof Float && isWithinBounds(type, value.value),
  Timestamp: (type, value) => value instanceof Timestamp && isWithinBounds(type, value.nanoseconds),
  Timespan: (type, value) => value instanceof Timespan && isWithinBounds(type, value.nanoseconds),
  Boolean: (type, value) => typeof value === 'boolean' && (type.value === undefined || type.value === value),
  String: (type, value) =>
    typeof value === 'string' && (type.value === undefined ? isLengthWithin(type.size, value) : value === type.value),
  Enum: (type, value) => typeof value === 'string' && isEnumValue(type, value),
  Pattern: (type, value) =>
    typeof value === 'string' &&
    (type.patterns.length === 0 || type.patterns.some((pattern) => isMatch(pattern, value))),
  Regexp: (type, value) =>
    value instanceof Regexp && (type.pattern === undefined || type.pattern.source === value.source),
  Collection: (type, value) =>
    Array.isArray(value)
      ? isWithinBounds(type.size, value.length)
      : value instanceof Hash && isWithinBounds(type.size, value.size),
  Array: ({ element, size }, value) =>
    Array.isArray(value) && isWithinBounds(size, value.length) && value.every((each) => isInstance(element, each)),
  Hash: (type, value) =>
    value instanceof Hash &&
    isWithinBounds(type.size, value.size) &&
    value.keys().every((key) => isInstance(type.key, key)) &&
    value.values().every((each) => isInstance(type.value, each)),
  Tuple: (type, value) =>
    Array.isArray(value) &&
    isWithinBounds(getTupleSize(type), value.length) &&
    (type.types.length === 0 ||
      value.every((each, index) => isInstance(type.types[index] ?? type.types.at(-1)!, each))),
  Struct: isInstanceOfStruct,
  Variant: (type, value) => type.types.some((each) => isInstance(each, value)),
  Callable: (type, value) =>
    value instanceof Callable && value.signatures.some((signature) => isAssignable(type, signature)),
  // The bare Optional accepts only undef.
  Optional: (type, value) => value === undefined || (!type.isBare && isInstance(type.type, value)),
  NotUndef: (type, value) => value !== undefined && isInstance(type.type, value),
  // `Type[Any]` needs no comparison; the value may be an alias in a type set that is not resolved yet.
  Type: (type, value) => isType(value) && (type.type.kind === 'Any' || isAssignable(type.type, value)),
  Sensitive: (type, value) => value instanceof Sensitive && isInstance(type.type, value.unwrap()),
  Iterable: isInstanceOfIterable,
  Iterator: (type, value) => value instanceof IteratorValue && isAssignable(type.type, value.elementType),
  Init: isInstanceOfInit,
  SemVer: (type, value) =>
    value instanceof SemVer && (type.ranges.length === 0 || type.ranges.some((range) => range.includes(value))),
  URI: (type, value) => value instanceof Uri && isInstanceOfUri(type, value),
  Runtime: (type, value) => value instanceof RuntimeValue && isAssignable(type, inferType(value)),
  Resource: isInstanceByInference,
  Class: isInstanceByInference,
  TypeAlias: isInstanceOfAlias,
  TypeReference: () => false,
  Object: isInstanceOfObject,
  TypeSet: (_, value) => isType(value) && value.kind === 'TypeSet',
}

function isInstanceOfInit(init: T.InitType, value: Value): boolean {
  if (init.acceptance === undefined) return isInstance(RICH_DATA, value)
  const { single, several, oneOfSeveral } = init.acceptance
  if (isInstance(single, value)) return true
  if (several === undefined) return false
  return isInstance(several, value) || (oneOfSeveral && isInstance(several, [value]))
}

/** Types are instances of Object types, too. */
function isInstanceOfObject(type: T.ObjectType, value: Value): boolean {
  if (type.initHash === undefined) return value instanceof ObjectValue || isType(value)
  if (isType(value)) return isPcoreInstance(type.name, value)
  if (!(value instanceof ObjectValue)) return false
  const { type: own, attributes } = value
  const base = type.parameters ? { ...type, parameters: undefined } : type
  return isAssignable(base, own) && hasMatchingParameters(type, (name) => attributes.get(name), attributes)
}

/** True if the number is within the inclusive bounds. */
function isWithinBounds({ from, to }: Bounds<number | bigint>, value: number | bigint): boolean {
  return (from === undefined || value >= from) && (to === undefined || value <= to)
}

/** True if the string's length in code points is within the bounds. */
function isLengthWithin(size: Bounds<number>, text: string): boolean {
  if (size.from === undefined && size.to === undefined) return true
  return isWithinBounds(size, [...text].length)
}

function isInstanceOfStruct({ elements }: T.StructType, value: Value): boolean {
  if (!(value instanceof Hash)) return false
  let matched = 0
  for (const element of elements) {
    if (value.has(element.name)) {
      if (!isInstance(element.value, value.get(element.name))) return false
      matched++
    } else if (!element.optional) return false
  }
  return matched === value.size
}

function isInstanceOfIterable(type: T.IterableType, value: Value): boolean {
  if (type.type.kind !== 'Any') return isAssignable(type, inferType(value))
  if (isInteger(value)) return value >= 0
  if (isType(value)) return isAssignable(make.ITERABLE, make.createTypeType(value))
  return typeof value === 'string' || Array.isArray(value) || value instanceof Hash || value instanceof IteratorValue
}

/**
 * Aliases being checked for each value. A recursive alias accepts no further values through itself: `type A =
 * Variant[A, Integer]`.
 */
const underway = new Map<string, Set<Value>>()

function isInstanceOfAlias(type: T.TypeAliasType, value: Value): boolean {
  const key = toTypeKey(type)
  const values = underway.get(key) ?? new Set()
  if (values.has(value)) return false
  underway.set(key, values.add(value))
  try {
    return isInstance(type.resolved, value)
  } finally {
    values.delete(value)
    if (values.size === 0) underway.delete(key)
  }
}
