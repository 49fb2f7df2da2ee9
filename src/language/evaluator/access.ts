import type { Access } from '../syntax/tree/nodes.ts'
import { parameterize } from '../types/from-code/parameterize.ts'
import { generalizeType } from '../types/generalize.ts'
import { inferType } from '../types/infer.ts'
import { callMember } from '../types/objects/call-member.ts'
import { getLabelWithArticle } from '../types/printing/label.ts'
import { capitalizeSegments, printType } from '../types/printing/print.ts'
import { toText } from '../types/printing/text.ts'
import { Binary } from '../values/binary.ts'
import { flattenArrays } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import { SemVer } from '../values/semver.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { evaluateLiteralType, isTypeAccess } from './literal-types.ts'
import { parseNumericText, toNumeric } from './numbers.ts'
import { resolveTypeOrReference } from './type-names.ts'

/** Rule of `left[…]`: elements and slices, parameterized types, parameters of a referenced resource. */
export const access: EvaluationRules<'Access'> = {
  Access(node, context) {
    return isTypeAccess(node)
      ? evaluateLiteralType(node, () => evaluateAccess(node, context))
      : evaluateAccess(node, context)
  },
}

function evaluateAccess(node: Access, context: EvaluationContext): Value {
  const left = context.evaluate(node.left)
  if (left instanceof Hash) return evaluateHashAccess(left, node, context)
  if (Array.isArray(left)) return evaluateArrayAccess(left, evaluateKeys(node, context), node, context)
  if (typeof left === 'string') return evaluateStringAccess(left, evaluateKeys(node, context), node)
  if (left instanceof Binary) {
    const text = evaluateStringAccess(Buffer.from(left.bytes).toString('latin1'), evaluateKeys(node, context), node)
    return new Binary(Buffer.from(text, 'latin1'))
  }
  if (isType(left)) return evaluateTypeAccess(left, node, context)
  const member = callMember(left, '[]', evaluateKeys(node, context))
  if (member) return member.value
  return failAtSpan(node.left.span, evaluatorIssues.OPERATOR_NOT_APPLICABLE, {
    operator: '[]',
    what: getLabelWithArticle(left),
  })
}

/** Name of a value's type in messages: `Integer`, `Hash[String, Integer]`. */
export function getTypeName(value: Value): string {
  if (value === undefined) return 'Undef'
  return value === DEFAULT ? 'Default' : printType(generalizeType(inferType(value)))
}

function evaluateKeys({ keys }: Access, context: EvaluationContext): Value[] {
  return flattenArrays(keys.map((key) => context.evaluate(key)))
}

function evaluateHashAccess(hash: Hash, node: Access, context: EvaluationContext): Value {
  const values = node.keys.map((key) => hash.get(context.evaluate(key)))
  if (values.length === 0) failAtSpan(node.left.span, evaluatorIssues.BAD_HASH_SLICE_ARITY, { actual: 0 })
  return values.length === 1 ? values[0] : values.filter((value) => value !== undefined)
}

function evaluateArrayAccess(
  array: readonly Value[],
  keys: readonly Value[],
  node: Access,
  context: EvaluationContext,
): Value {
  if (keys.length !== 1 && keys.length !== 2)
    failAtSpan(node.left.span, evaluatorIssues.BAD_ARRAY_SLICE_ARITY, { actual: keys.length })
  const findKeyNode = (index: number) => node.keys[index] ?? node.keys[0]!
  const numbers = keys.map((key, index) => (key instanceof SemVer ? key : toNumeric(key, findKeyNode(index), context)))
  const [first, second] = numbers.map((number, index) => {
    if (typeof number === 'number' || typeof number === 'bigint') return Number(number)
    return failAtSpan(findKeyNode(index).span, evaluatorIssues.BAD_SLICE_KEY_TYPE, {
      left: array,
      actual: getTypeName(number),
      expected: 'Integer',
    })
  })
  if (second === undefined) return array.at(first!)
  const [start, end] = resolveSlice(array.length, first!, second)
  return array.slice(start, end)
}

function evaluateStringAccess(text: string, keys: readonly Value[], node: Access): string {
  if (keys.length !== 1 && keys.length !== 2)
    failAtSpan(node.left.span, evaluatorIssues.BAD_STRING_SLICE_ARITY, { actual: keys.length })
  const [first, second] = keys.map((key, index) => {
    const number = typeof key === 'string' ? (parseNumericText(key) ?? key) : key
    if (typeof number === 'number' || typeof number === 'bigint') return Number(number)
    const blamed = node.keys[index] ?? node.keys[0]!
    return failAtSpan(blamed.span, evaluatorIssues.BAD_STRING_SLICE_KEY_TYPE, { actual: getTypeName(number) })
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
function evaluateTypeAccess(left: Type, node: Access, context: EvaluationContext): Value {
  const keys = node.keys.map((key) =>
    left.kind === 'Class' && key.kind === 'QualifiedReference'
      ? resolveTypeOrReference(key, context)
      : context.evaluate(key),
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
  context: EvaluationContext,
): Value {
  const { catalog } = context.host
  if (!catalog)
    return failAtSpan(node.span, evaluatorIssues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, {
      operation: 'find resource',
    })
  const names = flattenArrays(keys).filter((key) => key !== undefined)
  if (!catalog.hasResource(type, title)) failAtSpan(node.span, evaluatorIssues.UNKNOWN_RESOURCE, { type: shown, title })
  const values = names.map((name) => {
    const found = typeof name === 'string' ? catalog.resourceParameter(type, title, name) : undefined
    if (found) return found.value
    return failAtSpan(node.span, evaluatorIssues.UNKNOWN_RESOURCE_PARAMETER, { type: shown, title, name: toText(name) })
  })
  return keys.length > 1 || Array.isArray(keys[0]) ? values : values.at(-1)
}
