import { getArticle } from '../../../base/text/article.ts'
import type { Bounds, Type } from '../../values/type.ts'
import { bareTypes } from '../bare-types.ts'
import { ANY, createVariantType } from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { isAssignable } from '../is-assignable.ts'
import { normalizeType } from '../normalize.ts'
import { printExpanded, printType } from '../printing/print.ts'

/** A step on the path to a mismatch, as text: `parameter 'x'`, `index 0`. */
export interface PathElement {
  /** Steps of kind `variant` are omitted if several variants fail in the same way. */
  readonly kind: 'place' | 'variant'
  readonly text: string
  /** Hash key or array index. */
  readonly step?: string | number
}

interface At<Kind extends string> {
  readonly kind: Kind
  readonly path: readonly PathElement[]
}
interface Keyed<Kind extends string> extends At<Kind> {
  readonly key: string
}
interface Typed<Kind extends string> extends At<Kind> {
  readonly expected: Type
  readonly actual: Type
}
interface Sized<Kind extends string> extends At<Kind> {
  readonly expected: Bounds<number>
  readonly actual: Bounds<number>
}

/** One difference between an expected and an actual type. Puppet: type_mismatch_describer.rb. */
export type Mismatch =
  | Keyed<'MissingKey' | 'MissingParameter' | 'ExtraneousKey' | 'InvalidParameter' | 'UnresolvedType'>
  | At<'UnexpectedBlock' | 'MissingBlock'>
  | Typed<'Type' | 'Pattern'>
  | Sized<'Size' | 'Count'>

/** Formats the message of a mismatch. Starts with a space, because names and labels precede the message. */
export function formatMismatch(mismatch: Mismatch): string {
  return ['', ...mismatch.path.map(({ text }) => text), formatComplaint(mismatch)].join(' ')
}

/** Text of the path without variants. */
export function formatPath({ path }: Mismatch): string {
  return path.flatMap(({ kind, text }) => (kind === 'place' ? [text] : [])).join('\n')
}

/** Creates a mismatch of types; simplifies both types. */
export function createTypeMismatch(
  path: readonly PathElement[],
  expected: Type,
  actual: Type,
  kind: 'Type' | 'Pattern' = 'Type',
): Mismatch {
  return { kind, path, expected: normalizeType(expected), actual: normalizeType(actual) }
}

/** Merges two mismatches of the same kind and path. */
export function mergeMismatches(a: Mismatch, b: Mismatch): Mismatch {
  if (isTyped(a) && isTyped(b))
    return createTypeMismatch(a.path, createVariantType([a.expected, b.expected]), a.actual, a.kind)
  if (isSized(a) && isSized(b)) {
    const from = Math.min(a.expected.from ?? 0, b.expected.from ?? 0)
    const to =
      a.expected.to === undefined || b.expected.to === undefined ? undefined : Math.max(a.expected.to, b.expected.to)
    return { ...a, expected: { from, to } }
  }
  return a
}

/** True for a type mismatch, including patterns. */
export function isTyped(mismatch: Mismatch): mismatch is Typed<'Type' | 'Pattern'> {
  return mismatch.kind === 'Type' || mismatch.kind === 'Pattern'
}

/** True for a size mismatch, including argument counts. */
function isSized(mismatch: Mismatch): mismatch is Sized<'Size' | 'Count'> {
  return mismatch.kind === 'Size' || mismatch.kind === 'Count'
}

function formatComplaint(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case 'MissingKey':
      return `expects a value for key '${mismatch.key}'`
    case 'MissingParameter':
      return `expects a value for parameter '${mismatch.key}'`
    case 'ExtraneousKey':
      return `unrecognized key '${mismatch.key}'`
    case 'InvalidParameter':
      return `has no parameter named '${mismatch.key}'`
    case 'UnresolvedType':
      return `references an unresolved type '${mismatch.key}'`
    case 'UnexpectedBlock':
      return 'does not expect a block'
    case 'MissingBlock':
      return 'expects a block'
    case 'Type':
      return formatTypeComplaint(mismatch.expected, mismatch.actual)
    case 'Pattern':
      return formatPatternComplaint(mismatch.expected, mismatch.actual)
    case 'Size':
      return `expects size to be ${formatSize(mismatch.expected, '0')}, got ${formatSize(mismatch.actual, '0')}`
    case 'Count':
      return formatCountComplaint(mismatch.expected, mismatch.actual)
  }
}

function formatTypeComplaint(expected: Type, actual: Type): string {
  const optional = expected.kind === 'Optional'
  const inner = optional ? expected.type : expected
  const several = inner.kind === 'Variant' ? inner.types : [inner]
  const detailed = isAlwaysDetailed(several, actual) || several.some((each) => isAcceptedByDefault(each, actual))
  const got = detailed ? formatActual(several, actual) : getShortName(actual)
  const names = several.map(detailed ? printExpanded : getShortName)
  const unique = inner.kind === 'Variant' && !detailed ? [...new Set(names)] : names
  const all = optional ? ['Undef', ...unique] : unique
  if (all.length === 1) return `expects ${getArticle(all[0]!)} ${all[0]} value, got ${got}`
  const list = all.length === 2 ? all.join(' or ') : `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`
  return `expects a value of type ${list}, got ${got}`
}

function formatPatternComplaint(expected: Type, actual: Type): string {
  const optional = expected.kind === 'Optional'
  const got = actual.kind === 'String' && actual.value !== undefined ? `'${actual.value}'` : getShortName(actual)
  const pattern = printExpanded(optional ? expected.type : expected)
  return `expects ${optional ? 'an undef value or ' : ''}a match for ${pattern}, got ${got}`
}

function formatCountComplaint(expected: Bounds<number>, actual: Bounds<number>): string {
  const { from = 0, to } = expected
  const one = (from === 1 && (to === 1 || to === undefined)) || (from === 0 && to === 1)
  return `expects ${formatSize(expected, 'no')} argument${one ? '' : 's'}, got ${formatSize(actual, 'none')}`
}

function formatSize({ from = 0, to }: Bounds<number>, zero: string): string {
  if (from === to) return from === 0 ? zero : String(from)
  if (from === 0) return to === undefined ? 'unlimited' : `at most ${to}`
  return to === undefined ? `at least ${from}` : `between ${from} and ${to}`
}

const containers: ReadonlySet<Type['kind']> = new Set([
  'Optional',
  'NotUndef',
  'Type',
  'Sensitive',
  'Iterable',
  'Iterator',
  'Init',
])

function getTypeName(type: Type): string {
  if (type.kind === 'TypeAlias') return type.name
  if (type.kind === 'Object' && type.parameters) return printType(type)
  return (type.kind === 'Object' || type.kind === 'TypeSet') && type.name !== undefined ? type.name : type.kind
}

function getShortName(type: Type): string {
  if (!containers.has(type.kind)) return getTypeName(type)
  const contained = (type as { type?: Type }).type ?? ANY
  return contained.kind === 'Any' ? type.kind : `${type.kind}[${getTypeName(contained)}]`
}

function isAlwaysDetailed(expected: readonly Type[], actual: Type): boolean {
  return expected.some(
    (each) =>
      each.kind === actual.kind ||
      each.kind === 'TypeAlias' ||
      actual.kind === 'TypeAlias' ||
      (each.kind === 'Struct' && actual.kind === 'Hash') ||
      (each.kind === 'Tuple' && actual.kind === 'Array'),
  )
}

/** True if the bare form of the expected type accepts the actual type: `String` for `String[1]`. */
function isAcceptedByDefault(expected: Type, actual: Type): boolean {
  const resolved = resolveAlias(expected)
  const bare = bareTypes.get(resolved.kind.toLowerCase())
  return bare !== undefined && isAssignable(bare, actual)
}

function resolveAlias(type: Type): Type {
  return type.kind === 'TypeAlias' ? resolveAlias(type.resolved) : type
}

function formatActual(expected: readonly Type[], actual: Type): string {
  const resolved = expected.map(resolveAlias)
  const general = generalizeType(actual)
  const detailed = isAlwaysDetailed(resolved, actual) || resolved.some((each) => isAssignable(each, general))
  return detailed ? printExpanded(actual) : actual.kind
}

/** Functions that create path steps, such as `parameter 'x'` and `entry 'a'`. */
export const pathSteps = {
  named: (text: string): PathElement => ({ kind: 'place', text }),
  entry: (key: string): PathElement => ({ kind: 'place', text: `entry '${key}'`, step: key }),
  keyOfEntry: (key: string): PathElement => ({ kind: 'place', text: `key of entry '${key}'` }),
  parameter: (name: string): PathElement => ({ kind: 'place', text: `parameter '${name}'` }),
  index: (index: number): PathElement => ({ kind: 'place', text: `index ${index}`, step: index }),
  variant: (index: number): PathElement => ({ kind: 'variant', text: `variant ${index}` }),
} as const
