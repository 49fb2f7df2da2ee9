import type { Access } from '../syntax/tree/nodes.ts'
import { parameterize } from '../types/from-code/parameterize.ts'
import { generalize } from '../types/generalize.ts'
import { infer } from '../types/infer.ts'
import { callMember } from '../types/objects/call-member.ts'
import { withArticle } from '../types/printing/label.ts'
import { capitalizeSegments, printType } from '../types/printing/print.ts'
import { toText } from '../types/printing/text.ts'
import { Binary } from '../values/binary.ts'
import { flatten } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import { SemVer } from '../values/semver.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { isTypeAccess, literalType } from './literal-types.ts'
import { numberInText, numeric } from './numbers.ts'
import { typeOrReference } from './type-names.ts'

/** Rule of `left[…]`: elements and slices, parameterized types, parameters of a referenced resource. */
export const access: Rules<'Access'> = {
  Access(node, context) {
    return isTypeAccess(node) ? literalType(node, () => at(node, context)) : at(node, context)
  },
}

function at(node: Access, context: Context): Value {
  const left = context.evaluate(node.left)
  if (left instanceof Hash) return hashAt(left, node, context)
  if (Array.isArray(left)) return arrayAt(left, evaluateKeys(node, context), node, context)
  if (typeof left === 'string') return stringAt(left, evaluateKeys(node, context), node)
  if (left instanceof Binary) {
    const text = stringAt(Buffer.from(left.bytes).toString('latin1'), evaluateKeys(node, context), node)
    return new Binary(Buffer.from(text, 'latin1'))
  }
  if (isType(left)) return typeAt(left, node, context)
  const member = callMember(left, '[]', evaluateKeys(node, context))
  if (member) return member.value
  return failAt(node.left.span, issues.OPERATOR_NOT_APPLICABLE, { operator: '[]', what: withArticle(left) })
}

/** Name of a value's type in messages: `Integer`, `Hash[String, Integer]`. */
export function getTypeName(value: Value): string {
  if (value === undefined) return 'Undef'
  return value === DEFAULT ? 'Default' : printType(generalize(infer(value)))
}

function evaluateKeys({ keys }: Access, context: Context): Value[] {
  return flatten(keys.map((key) => context.evaluate(key)))
}

function hashAt(hash: Hash, node: Access, context: Context): Value {
  const values = node.keys.map((key) => hash.get(context.evaluate(key)))
  if (values.length === 0) failAt(node.left.span, issues.BAD_HASH_SLICE_ARITY, { actual: 0 })
  return values.length === 1 ? values[0] : values.filter((value) => value !== undefined)
}

function arrayAt(array: readonly Value[], keys: readonly Value[], node: Access, context: Context): Value {
  if (keys.length !== 1 && keys.length !== 2)
    failAt(node.left.span, issues.BAD_ARRAY_SLICE_ARITY, { actual: keys.length })
  const blamedFor = (index: number) => node.keys[index] ?? node.keys[0]!
  const numbers = keys.map((key, index) => (key instanceof SemVer ? key : numeric(key, blamedFor(index), context)))
  const [first, second] = numbers.map((number, index) => {
    if (typeof number === 'number' || typeof number === 'bigint') return Number(number)
    return failAt(blamedFor(index).span, issues.BAD_SLICE_KEY_TYPE, {
      left: array,
      actual: getTypeName(number),
      expected: 'Integer',
    })
  })
  if (second === undefined) return array.at(first!)
  const [start, end] = resolveSlice(array.length, first!, second)
  return array.slice(start, end)
}

function stringAt(text: string, keys: readonly Value[], node: Access): string {
  if (keys.length !== 1 && keys.length !== 2)
    failAt(node.left.span, issues.BAD_STRING_SLICE_ARITY, { actual: keys.length })
  const [first, second] = keys.map((key, index) => {
    const number = typeof key === 'string' ? (numberInText(key) ?? key) : key
    if (typeof number === 'number' || typeof number === 'bigint') return Number(number)
    const blamed = node.keys[index] ?? node.keys[0]!
    return failAt(blamed.span, issues.BAD_STRING_SLICE_KEY_TYPE, { actual: getTypeName(number) })
  })
  const characters = isAscii(text) ? undefined : Array.from(text)
  const length = characters?.length ?? text.length
  if (second === undefined) {
    const at = first! < 0 ? length + first! : first!
    return (characters ? characters[at] : text[at]) ?? ''
  }
  const [start, end] = resolveSlice(length, first!, second)
  return characters ? characters.slice(start, end).join('') : text.slice(start, end)
}

/**
 * Start and end of the slice `[from, count]`. A negative `from` counts from the end; a negative `count` gives the end
 * position.
 */
function resolveSlice(length: number, from: number, count: number): readonly [number, number] {
  let start = from < 0 ? length + from : from
  let size = count < 0 ? length - start + count + 1 : count
  if (start < 0) {
    size += start
    start = 0
  }
  return size <= 0 ? [0, 0] : [start, start + size]
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

/** Evaluates a parameterized type, a reference, or a parameter of a referenced resource. */
function typeAt(left: Type, node: Access, context: Context): Value {
  const keys = node.keys.map((key) =>
    left.kind === 'Class' && key.kind === 'QualifiedReference' ? typeOrReference(key, context) : context.evaluate(key),
  )
  if (left.kind === 'Resource' && left.typeName !== undefined && left.title !== undefined)
    return readParameters(left.typeName, left.title, capitalizeSegments(left.typeName), keys, node, context)
  if (left.kind === 'Class' && left.className !== undefined)
    return readParameters('class', left.className, 'Class', keys, node, context)
  return parameterize(left, keys, { whole: node.span, keys: node.keys.map(({ span }) => span) })
}

function readParameters(
  type: string,
  title: string,
  shown: string,
  keys: readonly Value[],
  node: Access,
  context: Context,
): Value {
  const { catalog } = context.host
  if (!catalog)
    return failAt(node.span, issues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, { operation: 'find resource' })
  const names = flatten(keys).filter((key) => key !== undefined)
  if (!catalog.hasResource(type, title)) failAt(node.span, issues.UNKNOWN_RESOURCE, { type: shown, title })
  const values = names.map((name) => {
    const found = typeof name === 'string' ? catalog.resourceParameter(type, title, name) : undefined
    if (found) return found.value
    return failAt(node.span, issues.UNKNOWN_RESOURCE_PARAMETER, { type: shown, title, name: toText(name) })
  })
  return keys.length > 1 || Array.isArray(keys[0]) ? values : values.at(-1)
}
