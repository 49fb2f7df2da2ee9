import type * as T from '../values/type.ts'
import type { Bounds, Type } from '../values/type.ts'
import { around } from './bounds.ts'
import { takesUndef } from './is-assignable.ts'
import * as make from './make.ts'

/**
 * Returns the simplest equivalent type. Puppet normalizes aliases and parameters in the same way. Puppet: types.rb,
 * `normalize`.
 */
export function normalize(type: Type): Type {
  switch (type.kind) {
    case 'Collection':
      return make.COLLECTION
    case 'Array':
      return type.element.kind === 'Any' ? make.ARRAY : make.arrayType(normalize(type.element), type.size)
    case 'Hash':
      return make.hashType(normalize(type.key), normalize(type.value), type.size)
    case 'Tuple':
      return make.tupleType(type.types.map(normalize), type.size)
    case 'Struct':
      return make.structType(type.elements.map((element) => ({ ...element, value: normalize(element.value) })))
    case 'Callable': {
      const parameters = type.parameters && make.tupleType(type.parameters.types.map(normalize), type.parameters.size)
      return make.callableType(parameters, type.block && normalize(type.block), type.returns && normalize(type.returns))
    }
    case 'Optional':
      return normalizeOptional(type)
    case 'NotUndef':
      return normalizeNotUndef(type)
    case 'Type':
    case 'Sensitive':
    case 'Iterable':
    case 'Iterator': {
      const inner = normalize(type.type)
      return inner === type.type ? type : Object.freeze({ ...type, type: inner })
    }
    case 'Variant':
      return normalizeVariant(type)
    default:
      return type
  }
}

function normalizeOptional(optional: T.OptionalType): Type {
  if (optional.isBare) return optional
  const inner = normalize(optional.type)
  if (inner.kind === 'NotUndef') return normalize(make.optionalType(inner.type))
  return takesUndef(inner) ? inner : make.optionalType(inner)
}

function normalizeNotUndef({ type }: T.NotUndefType): Type {
  const inner = normalize(type)
  if (inner.kind === 'Any') return make.NOT_UNDEF
  if (inner.kind === 'Optional') return normalize(make.notUndefType(inner.type))
  return takesUndef(inner) ? make.notUndefType(inner) : inner
}

function normalizeVariant(variant: T.VariantType): Type {
  if (variant.types.length === 0) return variant
  const types = variant.types.map(normalize)
  if (types.length === 1) return types[0]!
  if (types.some(({ kind }) => kind === 'Undef' || kind === 'Optional')) {
    const others = types.filter(({ kind }) => kind !== 'Undef')
    return normalize(
      make.optionalType(make.variantType(others.map((each) => (each.kind === 'Optional' ? each.type : each)))),
    )
  }
  const merges = [mergeNotUndefs, mergeEnums, mergePatterns, mergeVersions, ...ranges]
  const flat = types.flatMap((each) => (each.kind === 'Variant' ? each.types : [each]))
  return make.variantType(merges.reduce((merged, merge) => merge(merged), flat))
}

/**
 * Creates a merge step, which merges the types that `concerns` selects if there are at least two, and keeps the others.
 */
function merging<Some extends Type>(
  concerns: (type: Type) => type is Some,
  merge: (some: readonly Some[]) => readonly Type[],
  first = false,
): (types: readonly Type[]) => Type[] {
  return (types) => {
    const some = types.filter(concerns)
    if (some.length < 2) return [...types]
    const others = types.filter((type) => !concerns(type))
    return first ? [...merge(some), ...others] : [...others, ...merge(some)]
  }
}

const mergeNotUndefs = merging(
  (type): type is T.NotUndefType => type.kind === 'NotUndef',
  (some) => [make.notUndefType(normalize(make.variantType(some.map(({ type }) => type))))],
)

const mergeExactEnums = merging(
  (type): type is T.EnumType | T.StringType =>
    type.kind === 'Enum'
      ? type.values.length > 0 && !type.caseInsensitive
      : type.kind === 'String' && type.value !== undefined,
  (some) => [make.enumType(some.flatMap((each) => (each.kind === 'Enum' ? each.values : [each.value!])))],
)

const mergeLooseEnums = merging(
  (type): type is T.EnumType => type.kind === 'Enum' && type.values.length > 0 && type.caseInsensitive,
  (some) => [
    make.enumType(
      some.flatMap(({ values }) => values.map((value) => value.toLowerCase())),
      true,
    ),
  ],
)

function mergeEnums(types: readonly Type[]): Type[] {
  return mergeLooseEnums(mergeExactEnums(types))
}

const mergePatterns = merging(
  (type): type is T.PatternType => type.kind === 'Pattern',
  (some) => [make.patternType(some.flatMap(({ patterns }) => patterns))],
)

const mergeVersions = merging(
  (type): type is T.SemVerType => type.kind === 'SemVer',
  (some) => [make.semVerType(some.flatMap(({ ranges }) => ranges))],
  true,
)

const ranges = [
  merging(
    (type): type is T.IntegerType => type.kind === 'Integer',
    (some) => mergeRanges(some, make.integerType, 1),
    true,
  ),
  merging(
    (type): type is T.FloatType => type.kind === 'Float',
    (some) => mergeRanges(some, make.floatType, 0),
    true,
  ),
  merging(
    (type): type is T.TimespanType => type.kind === 'Timespan',
    (some) => mergeRanges(some, make.timespanType, 0n),
    true,
  ),
  merging(
    (type): type is T.TimestampType => type.kind === 'Timestamp',
    (some) => mergeRanges(some, make.timestampType, 0n),
    true,
  ),
]

/** Joins ranges that overlap or are at most `gap` apart; the last range comes first, as in Puppet. */
function mergeRanges<Bound extends number | bigint>(
  given: readonly Bounds<Bound>[],
  create: (from?: Bound, to?: Bound) => Type,
  gap: Bound,
): Type[] {
  const result: Type[] = []
  let left = [...given]
  while (left.length > 0) {
    let joined = left.pop()!
    const apart: Bounds<Bound>[] = []
    for (const each of left) {
      if (touches(joined, each, gap)) joined = around(joined, each)
      else apart.push(each)
    }
    result.push(create(joined.from, joined.to))
    left = apart
  }
  return result
}

function touches<Bound extends number | bigint>(a: Bounds<Bound>, b: Bounds<Bound>, gap: Bound): boolean {
  const before = (end: Bound | undefined, start: Bound | undefined) =>
    end !== undefined && start !== undefined && beyond(end, gap) < start
  return !before(a.to, b.from) && !before(b.to, a.from)
}

function beyond(end: number | bigint, gap: number | bigint): number | bigint {
  return typeof end === 'bigint' ? end + BigInt(gap) : end + Number(gap)
}
