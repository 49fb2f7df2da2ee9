import type * as T from '../values/type.ts'
import type { Bounds, Type } from '../values/type.ts'
import { uniteBounds } from './bounds.ts'
import * as make from './constructors.ts'
import { acceptsUndef } from './is-assignable.ts'
import { mapParts } from './map-parts.ts'

/**
 * Returns the simplest equivalent type. Puppet normalizes aliases and parameters in the same way. Puppet: types.rb,
 * `normalize`.
 */
export function normalizeType(type: Type): Type {
  switch (type.kind) {
    case 'Collection':
      return make.COLLECTION
    case 'Array':
      return type.element.kind === 'Any' ? make.ARRAY : make.createArrayType(normalizeType(type.element), type.size)
    case 'Hash':
      return make.createHashType(normalizeType(type.key), normalizeType(type.value), type.size)
    case 'Optional':
      return normalizeOptional(type)
    case 'NotUndef':
      return normalizeNotUndef(type)
    case 'Variant':
      return normalizeVariant(type)
    default:
      return mapParts(type, normalizeType)
  }
}

function normalizeOptional(optional: T.OptionalType): Type {
  if (optional.isBare) return optional
  const inner = normalizeType(optional.type)
  if (inner.kind === 'NotUndef') return normalizeType(make.createOptionalType(inner.type))
  return acceptsUndef(inner) ? inner : make.createOptionalType(inner)
}

function normalizeNotUndef({ type }: T.NotUndefType): Type {
  const inner = normalizeType(type)
  if (inner.kind === 'Any') return make.NOT_UNDEF
  if (inner.kind === 'Optional') return normalizeType(make.createNotUndefType(inner.type))
  return acceptsUndef(inner) ? make.createNotUndefType(inner) : inner
}

function normalizeVariant(variant: T.VariantType): Type {
  if (variant.types.length === 0) return variant
  const types = variant.types.map(normalizeType)
  if (types.length === 1) return types[0]!
  if (types.some(({ kind }) => kind === 'Undef' || kind === 'Optional')) {
    const others = types.filter(({ kind }) => kind !== 'Undef')
    return normalizeType(
      make.createOptionalType(
        make.createVariantType(others.map((each) => (each.kind === 'Optional' ? each.type : each))),
      ),
    )
  }
  const merges = [mergeNotUndefs, mergeEnums, mergePatterns, mergeVersions, ...ranges]
  const flat = types.flatMap((each) => (each.kind === 'Variant' ? each.types : [each]))
  return make.createVariantType(merges.reduce((merged, merge) => merge(merged), flat))
}

/**
 * Creates a merge step, which merges the types that `concerns` selects if there are at least two, and keeps the others.
 */
function createMergeStep<Some extends Type>(
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

const mergeNotUndefs = createMergeStep(
  (type): type is T.NotUndefType => type.kind === 'NotUndef',
  (some) => [make.createNotUndefType(normalizeType(make.createVariantType(some.map(({ type }) => type))))],
)

const mergeExactEnums = createMergeStep(
  (type): type is T.EnumType | T.StringType =>
    type.kind === 'Enum'
      ? type.values.length > 0 && !type.caseInsensitive
      : type.kind === 'String' && type.value !== undefined,
  (some) => [make.createEnumType(some.flatMap((each) => (each.kind === 'Enum' ? each.values : [each.value!])))],
)

const mergeLooseEnums = createMergeStep(
  (type): type is T.EnumType => type.kind === 'Enum' && type.values.length > 0 && type.caseInsensitive,
  (some) => [
    make.createEnumType(
      some.flatMap(({ values }) => values.map((value) => value.toLowerCase())),
      true,
    ),
  ],
)

function mergeEnums(types: readonly Type[]): Type[] {
  return mergeLooseEnums(mergeExactEnums(types))
}

const mergePatterns = createMergeStep(
  (type): type is T.PatternType => type.kind === 'Pattern',
  (some) => [make.createPatternType(some.flatMap(({ patterns }) => patterns))],
)

const mergeVersions = createMergeStep(
  (type): type is T.SemVerType => type.kind === 'SemVer',
  (some) => [make.createSemVerType(some.flatMap(({ ranges }) => ranges))],
  true,
)

const ranges = [
  createMergeStep(
    (type): type is T.IntegerType => type.kind === 'Integer',
    (some) => mergeRanges(some, make.createIntegerType, 1),
    true,
  ),
  createMergeStep(
    (type): type is T.FloatType => type.kind === 'Float',
    (some) => mergeRanges(some, make.createFloatType, 0),
    true,
  ),
  createMergeStep(
    (type): type is T.TimespanType => type.kind === 'Timespan',
    (some) => mergeRanges(some, make.createTimespanType, 0n),
    true,
  ),
  createMergeStep(
    (type): type is T.TimestampType => type.kind === 'Timestamp',
    (some) => mergeRanges(some, make.createTimestampType, 0n),
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
      if (isAdjacent(joined, each, gap)) joined = uniteBounds(joined, each)
      else apart.push(each)
    }
    result.push(create(joined.from, joined.to))
    left = apart
  }
  return result
}

function isAdjacent<Bound extends number | bigint>(a: Bounds<Bound>, b: Bounds<Bound>, gap: Bound): boolean {
  const isBefore = (end: Bound | undefined, start: Bound | undefined) =>
    end !== undefined && start !== undefined && extendBound(end, gap) < start
  return !isBefore(a.to, b.from) && !isBefore(b.to, a.from)
}

function extendBound(end: number | bigint, gap: number | bigint): number | bigint {
  return typeof end === 'bigint' ? end + BigInt(gap) : end + Number(gap)
}
