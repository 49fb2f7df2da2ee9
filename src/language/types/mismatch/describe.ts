import { toTypeKey } from '../../values/hash-key.ts'
import type * as T from '../../values/type.ts'
import type { Bounds, Type } from '../../values/type.ts'
import * as make from '../constructors.ts'
import { containsBounds, getTupleSize, isAssignable } from '../is-assignable.ts'
import { normalizeType } from '../normalize.ts'
import {
  createTypeMismatch,
  formatPath,
  isTyped,
  type Mismatch,
  mergeMismatches,
  type PathElement,
  pathSteps,
} from './message.ts'

type Path = readonly PathElement[]

/** Lists the mismatches between the expected and the actual type. Empty if the actual type is assignable. */
export function describeMismatches(expected: Type, actual: Type, path: Path): Mismatch[] {
  const unresolved = findUnresolved(expected, new Set())
  if (unresolved !== undefined) return [{ kind: 'UnresolvedType', path, key: unresolved }]
  return describeKind(normalizeType(expected), expected, actual, path)
}

/** Mismatches for one kind of expected type. `original` is the type as written, which messages name. */
function describeKind(expected: Type, original: Type, actual: Type, path: Path): Mismatch[] {
  switch (expected.kind) {
    case 'Variant':
      return describeVariant(expected, original, actual, path)
    case 'Struct':
      return describeStruct(expected, original, actual, path)
    case 'Hash':
      return describeHash(expected, original, actual, path)
    case 'Tuple':
      return describeTuple(expected, original, actual, path, 'Size')
    case 'Array':
      return describeArray(expected, original, actual, path)
    case 'Callable':
      return describeCallable(expected, original, actual, path)
    case 'Optional':
      if (actual.kind === 'Undef' || expected.type.kind === 'Any') return []
      return describeKind(expected.type, original.kind === 'TypeAlias' ? original : expected, actual, path)
    case 'Pattern':
    case 'Enum':
      return [createTypeMismatch(path, original, actual, 'Pattern')]
    case 'TypeAlias':
      return describeKind(normalizeType(expected.resolved), expected, actual, path)
    default:
      return isAssignable(expected, actual) ? [] : [createTypeMismatch(path, original, actual)]
  }
}

/**
 * Merges the mismatches of several variants or signatures into a single mismatch if they have the same kind and path. A
 * single mismatch loses the path step at index `at`, which names the variant.
 */
export function mergeDescriptions(
  at: number | undefined,
  size: 'Size' | 'Count',
  variants: readonly (readonly Mismatch[])[],
): Mismatch[] {
  let all = variants.flat()
  const tests: ((each: Mismatch) => boolean)[] = [
    ({ kind }) => kind === size || (size === 'Size' && kind === 'Count'),
    ({ kind }) => kind === 'MissingBlock',
    ({ kind }) => kind === 'UnexpectedBlock',
    isTyped,
  ]
  for (const test of tests) {
    const alike = all.filter(test)
    if (alike.length !== variants.length || alike.length === 0) continue
    if (new Set(alike.map(formatPath)).size > 1) continue
    all = [alike.reduce(mergeMismatches)]
    break
  }
  const unique = all.filter((each, index) => !isRepeated(each, all.slice(0, index)))
  return unique.length === 1 && at !== undefined ? [removePathStep(unique[0]!, at)] : unique
}

/** True for a block mismatch that equals an earlier one. Puppet never treats other mismatches as equal. */
function isRepeated(mismatch: Mismatch, before: readonly Mismatch[]): boolean {
  if (mismatch.kind !== 'MissingBlock' && mismatch.kind !== 'UnexpectedBlock') return false
  return before.some((each) => each.kind === mismatch.kind && formatPath(each) === formatPath(mismatch))
}

/** The mismatch without the step at index `at` of its path. */
function removePathStep(mismatch: Mismatch, at: number): Mismatch {
  return { ...mismatch, path: mismatch.path.filter((_, index) => index !== at) }
}

function describeVariant({ types }: T.VariantType, original: Type, actual: Type, path: Path): Mismatch[] {
  const all = original.kind === 'Optional' ? [make.UNDEF, ...types] : types
  const variants: Mismatch[][] = []
  for (const [index, type] of all.entries()) {
    const described = describeMismatches(type, actual, [...path, pathSteps.variant(index)])
    if (described.length === 0) return []
    variants.push(described)
  }
  const merged = mergeDescriptions(path.length, 'Size', variants)
  return original.kind === 'TypeAlias' && merged.length === 1 ? [createTypeMismatch(path, original, actual)] : merged
}

const isSizeWithin = (expected: Bounds<number>, actual: Bounds<number>): boolean =>
  containsBounds({ from: expected.from ?? 0, to: expected.to }, { from: actual.from ?? 0, to: actual.to })

function describeSize(
  path: Path,
  expected: Bounds<number>,
  actual: Bounds<number>,
  kind: 'Size' | 'Count' = 'Size',
): Mismatch {
  return { kind, path, expected, actual }
}

function describeArray(expected: T.ArrayType, original: Type, actual: Type, path: Path): Mismatch[] {
  if (actual.kind === 'Tuple') {
    const size = actual.size ?? make.createBounds(actual.types.length, actual.types.length)
    if (!isSizeWithin(expected.size, size)) return [describeSize(path, expected.size, size)]
    return actual.types.flatMap((type, index) =>
      isAssignable(expected.element, type)
        ? []
        : describeMismatches(expected.element, type, [...path, pathSteps.index(index)]),
    )
  }
  if (actual.kind !== 'Array') return [createTypeMismatch(path, original, actual)]
  if (!isSizeWithin(expected.size, actual.size)) return [describeSize(path, expected.size, actual.size)]
  return [createTypeMismatch(path, original, make.createArrayType(actual.element))]
}

function describeHash(expected: T.HashType, original: Type, actual: Type, path: Path): Mismatch[] {
  if (actual.kind === 'Struct') {
    const size = getStructSize(actual)
    if (!isSizeWithin(expected.size, size)) return [describeSize(path, expected.size, size)]
    return actual.elements.flatMap((element) => {
      const key = getKeyType(element)
      const { name, value } = element
      const keys = isAssignable(expected.key, key)
        ? []
        : describeMismatches(expected.key, key, [...path, pathSteps.keyOfEntry(name)])
      const values = isAssignable(expected.value, value)
        ? []
        : describeMismatches(expected.value, value, [...path, pathSteps.entry(name)])
      return [...keys, ...values]
    })
  }
  if (actual.kind !== 'Hash') return [createTypeMismatch(path, original, actual)]
  if (!isSizeWithin(expected.size, actual.size)) return [describeSize(path, expected.size, actual.size)]
  return [createTypeMismatch(path, original, make.createHashType(actual.key, actual.value))]
}

function getStructSize({ elements }: T.StructType): Bounds<number> {
  return make.createBounds(elements.filter(({ optional }) => !optional).length, elements.length)
}

function getKeyType({ name, optional }: T.StructElement): Type {
  const literal = make.createLiteralStringType(name)
  return optional ? make.createOptionalType(literal) : literal
}

function describeStruct(expected: T.StructType, original: Type, actual: Type, path: Path): Mismatch[] {
  if (actual.kind === 'Struct') return describeElements(expected, actual, path)
  if (actual.kind !== 'Hash') return [createTypeMismatch(path, original, actual)]
  const size = getStructSize(expected)
  if (!isSizeWithin(size, actual.size)) return [describeSize(path, size, actual.size)]
  return [createTypeMismatch(path, original, make.createHashType(actual.key, actual.value))]
}

function describeElements(expected: T.StructType, actual: T.StructType, path: Path): Mismatch[] {
  const rest = new Map(actual.elements.map((element) => [element.name, element]))
  const described = expected.elements.flatMap((wanted): Mismatch[] => {
    const { name } = wanted
    const given = rest.get(name)
    rest.delete(name)
    if (!given) return wanted.optional ? [] : [{ kind: 'MissingKey', path, key: name }]
    const keyFits = wanted.optional || !given.optional
    const keys = keyFits
      ? []
      : describeMismatches(getKeyType(wanted), getKeyType(given), [...path, pathSteps.keyOfEntry(name)])
    const valueFits = isAssignable(wanted.value, given.value)
    return [
      ...keys,
      ...(valueFits ? [] : describeMismatches(wanted.value, given.value, [...path, pathSteps.entry(name)])),
    ]
  })
  return [...described, ...Array.from(rest.keys(), (key): Mismatch => ({ kind: 'ExtraneousKey', path, key }))]
}

function describeTuple(
  expected: T.TupleType,
  original: Type,
  actual: Type,
  path: Path,
  kind: 'Size' | 'Count',
): Mismatch[] {
  if (toTypeKey(expected) === toTypeKey(actual)) return []
  if (expected.types.length === 0 && actual.kind === 'Array') return []
  const size = getTupleSize(expected)
  const last = expected.types.length - 1
  if (actual.kind === 'Tuple') {
    if (!isSizeWithin(size, getTupleSize(actual))) return [describeSize(path, size, getTupleSize(actual), kind)]
    if (last < 0) return []
    return actual.types.flatMap((type, index) => {
      const at = Math.min(index, last)
      return describeMismatches(expected.types[at]!, type, [...path, pathSteps.index(at)])
    })
  }
  if (actual.kind !== 'Array') return [createTypeMismatch(path, original, actual)]
  if (!isSizeWithin(size, actual.size)) return [describeSize(path, size, actual.size, kind)]
  return expected.types.flatMap((type, index) =>
    describeMismatches(type, actual.element, [...path, pathSteps.index(index)]),
  )
}

function describeCallable(expected: T.CallableType, original: Type, actual: Type, path: Path): Mismatch[] {
  if (actual.kind !== 'Callable') return [createTypeMismatch(path, original, actual)]
  if (!expected.parameters && !expected.returns) return []
  if (expected.parameters && actual.parameters) {
    const wrong = describeTuple(expected.parameters, expected.parameters, actual.parameters, path, 'Count')
    if (wrong.length > 0) return wrong
  }
  const [wanted, given] = [expected.returns ?? make.ANY, actual.returns ?? make.ANY]
  if (!isAssignable(wanted, given)) return [createTypeMismatch([...path, pathSteps.named('return')], wanted, given)]
  const [block, theirs] = [expected.block ?? make.UNDEF, actual.block ?? make.UNDEF]
  return isAssignable(theirs, block) ? [] : [createTypeMismatch([...path, pathSteps.named('block')], block, theirs)]
}

/** Text of the first TypeReference inside a type. */
function findUnresolved(type: Type, seen: Set<Type>): string | undefined {
  if (seen.has(type)) return undefined
  seen.add(type)
  if (type.kind === 'TypeReference') return type.typeString
  for (const inner of listInnerTypes(type)) {
    const found = findUnresolved(inner, seen)
    if (found !== undefined) return found
  }
  return undefined
}

function listInnerTypes(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'Array':
      return [type.element]
    case 'Hash':
      return [type.key, type.value]
    case 'Tuple':
    case 'Variant':
      return type.types
    case 'Struct':
      return type.elements.map(({ value }) => value)
    case 'Callable':
      return [...(type.parameters?.types ?? []), type.block, type.returns].filter((each) => each !== undefined)
    case 'Optional':
    case 'NotUndef':
    case 'Type':
    case 'Sensitive':
    case 'Iterable':
    case 'Iterator':
      return [type.type]
    case 'TypeAlias':
      return [type.resolved]
    default:
      return []
  }
}
