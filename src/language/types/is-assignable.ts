import { isMatch } from '../ruby-semantics/regexp/match.ts'
import { Hash } from '../values/hash.ts'
import { toTypeKey } from '../values/hash-key.ts'
import { Regexp } from '../values/regexp.ts'
import type * as T from '../values/type.ts'
import { type Bounds, isType, resolveParent, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import * as make from './constructors.ts'
import { getIterableElement, isIterable } from './iterable.ts'
import { RICH_DATA, TYPE_SET } from './standard-types.ts'

/**
 * Pairs of types being compared. A pair that occurs again is assumed to be assignable, because aliases can be
 * recursive.
 */
type Guard = Set<string>

/** True if every value of `from` is a value of `to`. Puppet: types/types.rb, `assignable?`. */
export function isAssignable(to: Type, from: Type, guard: Guard = new Set()): boolean {
  if (to === from || to.kind === 'Unit') return true
  if (to.kind === 'TypeAlias') return guardRecursion(to, from, guard, () => isAssignable(to.resolved, from, guard))
  if (to.kind === 'Variant') return isAssignableToVariant(to, from, guard)
  switch (from.kind) {
    case 'Unit':
      return true
    case 'TypeAlias':
      return guardRecursion(to, from, guard, () => isAssignable(to, from.resolved, guard))
    case 'Variant':
      if (to.kind === 'Any') return true
      if (from.types.length === 0) return to.kind === 'NotUndef' && applyRule(to, from, guard)
      return from.types.every((each) => isAssignable(to, each, guard))
    case 'Optional':
      return isAssignable(to, make.UNDEF, guard) && (from.isBare || isAssignable(to, from.type, guard))
    case 'NotUndef':
      return from.type.kind !== 'Any' && !isAssignable(from.type, make.UNDEF, guard)
        ? isAssignable(to, from.type, guard)
        : applyRule(to, from, guard)
    default:
      return applyRule(to, from, guard)
  }
}

/**
 * True if two types are equal under `==`: each is assignable to the other. Puppet:
 * type_calculator.rb, `equals`.
 */
export function areSameTypes(a: Type, b: Type): boolean {
  return toTypeKey(a) === toTypeKey(b) || (isAssignable(b, a) && isAssignable(a, b))
}

/** True if the type accepts undef, so that the value can be omitted. */
export function acceptsUndef(type: Type): boolean {
  return isAssignable(type, make.UNDEF)
}

/** Minimum and maximum number of elements of a tuple. */
export function getTupleSize({ types, size }: T.TupleType): Bounds<number> {
  if (size) return size
  return types.length === 0 ? make.createBounds(0) : make.createBounds(types.length, types.length)
}

/** True if `inner` is within `outer`. A missing bound is infinite. */
export function containsBounds<Bound extends number | bigint>(outer: Bounds<Bound>, inner: Bounds<Bound>): boolean {
  return (
    (outer.from === undefined || (inner.from !== undefined && outer.from <= inner.from)) &&
    (outer.to === undefined || (inner.to !== undefined && outer.to >= inner.to))
  )
}

function containsSize(outer: Bounds<number>, inner: Bounds<number>): boolean {
  return (
    containsBounds(outer, { from: inner.from ?? 0, to: inner.to }) || ((outer.from ?? 0) <= 0 && outer.to === undefined)
  )
}

function guardRecursion(to: Type, from: Type, guard: Guard, work: () => boolean): boolean {
  const pair = `${toTypeKey(to)}\n${toTypeKey(from)}`
  if (guard.has(pair)) return true
  guard.add(pair)
  try {
    return work()
  } finally {
    guard.delete(pair)
  }
}

function isAssignableToVariant(to: T.VariantType, from: Type, guard: Guard): boolean {
  if (from.kind === 'Variant') {
    if (to.types.length === 0) return true
    return from.types.length > 0 && from.types.every((each) => isAssignable(to, each, guard))
  }
  if (to.types.some((each) => each === from)) return true
  switch (from.kind) {
    case 'Unit':
      return true
    case 'TypeAlias':
      return (
        to.types.some((each) => each.kind === 'TypeAlias' && each.name === from.name) ||
        guardRecursion(to, from, guard, () => isAssignable(to, from.resolved, guard))
      )
    case 'Optional':
      return isAssignable(to, make.UNDEF, guard) && (from.isBare || isAssignable(to, from.type, guard))
    default:
      return to.types.some((each) => isAssignable(each, from, guard))
  }
}

type Rules = {
  readonly [Kind in Type['kind']]: (to: Extract<Type, { kind: Kind }>, from: Type, guard: Guard) => boolean
}

function applyRule(to: Type, from: Type, guard: Guard): boolean {
  const rule = rules[to.kind] as (to: Type, from: Type, guard: Guard) => boolean
  return rule(to, from, guard)
}

const isSameKind = (to: Type, from: Type): boolean => to.kind === from.kind
const isWithinBounds = (to: Type & Bounds, from: Type): boolean =>
  to.kind === from.kind && containsBounds(to, from as Bounds)
const scalarData: ReadonlySet<Type['kind']> = new Set([
  'ScalarData',
  'String',
  'Enum',
  'Pattern',
  'Numeric',
  'Integer',
  'Float',
  'Boolean',
])
const scalar: ReadonlySet<Type['kind']> = new Set([
  ...scalarData,
  'Scalar',
  'Regexp',
  'SemVer',
  'SemVerRange',
  'Timespan',
  'Timestamp',
])

const rules: Rules = {
  Any: () => true,
  Unit: () => true,
  Undef: isSameKind,
  Default: isSameKind,
  Scalar: (_, from) => scalar.has(from.kind),
  ScalarData: (_, from) => scalarData.has(from.kind),
  Numeric: (_, from) => from.kind === 'Numeric' || from.kind === 'Integer' || from.kind === 'Float',
  CatalogEntry: (_, from) => from.kind === 'CatalogEntry' || from.kind === 'Class' || from.kind === 'Resource',
  SemVerRange: isSameKind,
  Binary: isSameKind,
  Integer: isWithinBounds,
  Float: isWithinBounds,
  Timestamp: (to, from) => from.kind === 'Timestamp' && containsBounds(to, from),
  Timespan: (to, from) => from.kind === 'Timespan' && containsBounds(to, from),
  Boolean: (to, from) => from.kind === 'Boolean' && (to.value === undefined || to.value === from.value),
  String: isAssignableToString,
  Enum: isAssignableToEnum,
  Pattern: isAssignableToPattern,
  Regexp: (to, from) =>
    from.kind === 'Regexp' && (to.pattern === undefined || to.pattern.source === from.pattern?.source),
  Collection: (to, from) => {
    const size = getSize(from)
    return size !== undefined && containsSize(to.size, size)
  },
  Array: isAssignableToArray,
  Hash: isAssignableToHash,
  Tuple: isAssignableToTuple,
  Struct: isAssignableToStruct,
  Variant: isAssignableToVariant,
  Callable: isAssignableToCallable,
  Optional: (to, from, guard) => from.kind === 'Undef' || isAssignable(to.type, from, guard),
  NotUndef: (to, from, guard) => !isAssignable(from, make.UNDEF, guard) && isAssignable(to.type, from, guard),
  Type: isAssignableToContainer,
  Sensitive: (to, from, guard) => from.kind === 'Sensitive' && isAssignable(to.type, from.type, guard),
  Iterable: (to, from, guard) => {
    if (to.type.kind === 'Any') return isIterable(from)
    const element = getIterableElement(from)
    return element !== undefined && isAssignable(to.type, element, guard)
  },
  Iterator: isAssignableToContainer,
  Init: (to, from, guard) => {
    const { type, acceptance } = to
    if (from.kind === 'Init')
      return type === undefined || (from.type !== undefined && isAssignable(type, from.type, guard))
    if (acceptance === undefined) return isAssignable(RICH_DATA, from, guard)
    const { single, several, oneOfSeveral } = acceptance
    if (isAssignable(single, from, guard)) return true
    if (several === undefined) return false
    return isAssignable(several, from, guard) || (oneOfSeveral && isAssignable(several, make.createTupleType([from])))
  },
  SemVer: (to, from) =>
    from.kind === 'SemVer' &&
    (to.ranges.length === 0 ||
      (from.ranges.length > 0 && from.ranges.every((theirs) => to.ranges.some((ours) => ours.covers(theirs))))),
  URI: (to, from) => from.kind === 'URI' && (to.parameters === undefined || hasParts(to.parameters, from.parameters)),
  Runtime: (to, from) =>
    from.kind === 'Runtime' &&
    (to.runtime === undefined || to.runtime === from.runtime) &&
    (to.name === undefined || to.name === from.name),
  Resource: (to, from) =>
    from.kind === 'Resource' &&
    (to.typeName === undefined ||
      (to.typeName === from.typeName && (to.title === undefined || to.title === from.title))),
  Class: (to, from) => from.kind === 'Class' && (to.className === undefined || to.className === from.className),
  TypeAlias: (to, from, guard) => isAssignable(to.resolved, from, guard),
  TypeReference: (to, from) => from.kind === 'TypeReference' && to.typeString === from.typeString,
  Object: isAssignableToObject,
  TypeSet: (to, from) => from.kind === 'TypeSet' && (to === TYPE_SET || toTypeKey(to) === toTypeKey(from)),
}

/** Only the bare type accepts the bare type: `Type[Any]` does not accept `Type`. */
function isAssignableToContainer(to: T.TypeType | T.IteratorType, from: Type, guard: Guard): boolean {
  if (from.kind !== to.kind) return false
  return to.isBare || (!from.isBare && isAssignable(to.type, from.type, guard))
}

function isAssignableToString(to: T.StringType, from: Type): boolean {
  const free = to.size.to === undefined && (to.size.from ?? 0) === 0
  switch (from.kind) {
    case 'String':
      if (to.value !== undefined) return from.value === to.value
      return from.value === undefined
        ? containsSize(to.size, from.size)
        : containsSize(to.size, getLengthBounds(from.value))
    case 'Enum':
      if (to.value !== undefined) return from.values.length === 1 && !from.caseInsensitive
      if (from.values.length === 0) return free
      return from.values.every((value) => containsSize(to.size, getLengthBounds(value)))
    case 'Pattern':
      return to.value === undefined && free
    default:
      return false
  }
}

function getLengthBounds(text: string): Bounds<number> {
  const length = [...text].length
  return { from: length, to: length }
}

function isAssignableToEnum(to: T.EnumType, from: Type): boolean {
  if (to.values.length === 0 && (from.kind === 'String' || from.kind === 'Enum' || from.kind === 'Pattern')) return true
  if (from.kind === 'String') return from.value !== undefined && isEnumValue(to, from.value)
  if (from.kind !== 'Enum' || from.values.length === 0) return false
  return (to.caseInsensitive || !from.caseInsensitive) && from.values.every((value) => isEnumValue(to, value))
}

/** True if the text is a value of the Enum. */
export function isEnumValue({ values, caseInsensitive }: T.EnumType, text: string): boolean {
  if (!caseInsensitive) return values.includes(text)
  const lower = text.toLowerCase()
  return values.some((value) => value.toLowerCase() === lower)
}

function isAssignableToPattern(to: T.PatternType, from: Type): boolean {
  if (toTypeKey(to) === toTypeKey(from)) return true
  const matchesAnyPattern = (text: string) => to.patterns.some((pattern) => isMatch(pattern, text))
  if (from.kind === 'String')
    return to.patterns.length === 0 || (from.value !== undefined && matchesAnyPattern(from.value))
  if (from.kind === 'Enum')
    return to.patterns.length === 0 || (from.values.length > 0 && from.values.every(matchesAnyPattern))
  return from.kind === 'Pattern' && to.patterns.length === 0
}

function getSize(type: Type): Bounds<number> | undefined {
  switch (type.kind) {
    case 'Collection':
    case 'Array':
    case 'Hash':
      return type.size
    case 'Tuple':
      return type.size ?? make.createBounds(type.types.length, type.types.length)
    case 'Struct':
      return make.createBounds(type.elements.length, type.elements.length)
    default:
      return undefined
  }
}

function isAssignableToArray(to: T.ArrayType, from: Type, guard: Guard): boolean {
  if (from.kind === 'Array') return containsSize(to.size, from.size) && isAssignable(to.element, from.element, guard)
  if (from.kind !== 'Tuple') return false
  return containsSize(to.size, getSize(from)!) && from.types.every((type) => isAssignable(to.element, type, guard))
}

function isAssignableToHash(to: T.HashType, from: Type, guard: Guard): boolean {
  if (from.kind === 'Hash') {
    if ((to.size.from ?? 0) === 0 && (from.size.from ?? 0) === 0 && from.size.to === 0) return true
    return (
      isAssignable(to.key, from.key, guard) &&
      isAssignable(to.value, from.value, guard) &&
      containsSize(to.size, from.size)
    )
  }
  if (from.kind !== 'Struct') return false
  return (
    containsSize(to.size, getSize(from)!) &&
    from.elements.every(
      ({ name, value }) =>
        isAssignable(to.key, make.createLiteralStringType(name), guard) && isAssignable(to.value, value, guard),
    )
  )
}

function isAssignableToTuple(to: T.TupleType, from: Type, guard: Guard): boolean {
  if (toTypeKey(to) === toTypeKey(from)) return true
  if (from.kind !== 'Tuple' && from.kind !== 'Array') return false
  const size = getTupleSize(to)
  const theirs = from.kind === 'Tuple' ? getTupleSize(from) : from.size
  if (!containsSize(size, theirs)) return false
  const last = to.types.at(-1)
  if (last === undefined) return true
  if (from.kind === 'Tuple') {
    if (from.types.length === 0) return (size.from ?? 0) === 0
    return from.types.every((type, index) => isAssignable(to.types[index] ?? last, type, guard))
  }
  const count = Math.min(to.types.length, theirs.to ?? Number.POSITIVE_INFINITY)
  return to.types.slice(0, count).every((type) => isAssignable(type, from.element, guard))
}

function isAssignableToStruct(to: T.StructType, from: Type, guard: Guard): boolean {
  if (from.kind === 'Struct') {
    const theirs = new Map(from.elements.map((element) => [element.name, element]))
    let matched = 0
    const fits = to.elements.every((ours) => {
      const their = theirs.get(ours.name)
      if (!their) return ours.optional
      matched++
      return (ours.optional || !their.optional) && isAssignable(ours.value, their.value, guard)
    })
    return fits && matched === theirs.size
  }
  if (from.kind !== 'Hash') return false
  const required = to.elements.filter((element) => !element.optional)
  const fits = required.every(
    ({ value }) => isAssignable(value, from.value, guard) && isAssignable(make.STRING, from.key, guard),
  )
  return fits && containsSize(make.createBounds(required.length, to.elements.length), from.size)
}

/** Parameters are contravariant: a function is assignable if its parameters accept more types. */
function isAssignableToCallable(to: T.CallableType, from: Type, guard: Guard): boolean {
  if (from.kind !== 'Callable') return false
  if (to.returns && !isAssignable(to.returns, from.returns ?? make.ANY, guard)) return false
  if (!to.parameters) return true
  if (!from.parameters || !isAssignable(from.parameters, to.parameters, guard)) return false
  return isAssignable(from.block ?? make.UNDEF, to.block ?? make.UNDEF, guard)
}

/**
 * An Object type accepts its descendants. With type parameters, it accepts only descendants with matching parameters.
 */
function isAssignableToObject(to: T.ObjectType, from: Type): boolean {
  if (from.kind !== 'Object') return false
  if (to.initHash === undefined) return true
  return (
    isDescendant(from, toTypeKey(removeParameters(to))) &&
    hasMatchingParameters(to, (name) => from.parameters?.get(name), from.parameters)
  )
}

function isDescendant(type: T.ObjectType, ancestor: string): boolean {
  if (toTypeKey(removeParameters(type)) === ancestor) return true
  const parent = resolveParent(type)
  return parent !== undefined && isDescendant(parent, ancestor)
}

function removeParameters(type: T.ObjectType): T.ObjectType {
  return type.parameters ? Object.freeze({ ...type, parameters: undefined }) : type
}

/** True if every parameter of an Object type is in `given` and matches the value from `get`. */
export function hasMatchingParameters(
  { parameters = new Map() }: T.ObjectType,
  get: (name: string) => Value,
  given: { has(name: string): boolean } = new Map(),
): boolean {
  return [...parameters].every(([name, pattern]) => given.has(name) && isMatchingPart(pattern, get(name)))
}

/** True if a value matches a pattern: a regular expression, a type, or a text, which is compared without case. */
export function isMatchingPart(pattern: Value, part: Value): boolean {
  if (pattern instanceof Regexp) return typeof part === 'string' && isMatch(pattern, part)
  if (!isType(pattern))
    return part === undefined || pattern === undefined ? part === pattern : isSameText(part, pattern)
  if (isType(part)) return isAssignable(pattern, part)
  if (typeof part === 'number') return isAssignable(pattern, make.createIntegerType(part, part))
  return isAssignable(pattern, typeof part === 'string' ? make.createLiteralStringType(part) : make.UNDEF)
}

/** True if another URI type has every required part with a matching value. */
function hasParts(asked: Hash, given = Hash.empty): boolean {
  return [...asked].every(([name, pattern]) => given.has(name) && isMatchingPart(pattern, given.get(name)))
}

function isSameText(a: Value, b: Value): boolean {
  return String(a).toLowerCase() === String(b).toLowerCase()
}
