import { PuppetFunction } from '../../language/evaluator/closure.ts'
import { stripParentheses } from '../../language/evaluator/literals.ts'
import type { Parameter } from '../../language/syntax/tree/nodes.ts'
import { isEqualValue } from '../../language/values/equality.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { NodeEvaluation } from '../provenance/node-evaluation.ts'

/** Returns the name of the called function or type. */
export function getFunctionName({ node }: NodeEvaluation): string {
  if (node.kind === 'CallNamedFunction') {
    const functor = node.functor.kind === 'Access' ? node.functor.left : node.functor
    if (functor.kind === 'QualifiedReference') return functor.casedValue
    return functor.kind === 'QualifiedName' ? functor.value : ''
  }
  if (node.kind !== 'CallMethod') return ''
  const name = node.functor.right
  return name.kind === 'QualifiedName' ? name.value : ''
}

/** Returns the evaluated arguments of a call. For a method call, the first argument is the receiver. */
export function getCallArguments({ node, parts }: NodeEvaluation): readonly NodeEvaluation[] {
  if (node.kind !== 'CallNamedFunction' && node.kind !== 'CallMethod') return []
  const nodes = [...(node.kind === 'CallMethod' ? [node.functor.left] : []), ...node.arguments].map(stripParentheses)
  return nodes.flatMap((each) => parts.find((part) => part.node === each) ?? [])
}

/** Returns the parameters of a function written in Puppet in the environment; `undefined` for other functions. */
export function findFunctionParameters(
  call: NodeEvaluation,
  { types, host, top }: Compilation,
): readonly Parameter[] | undefined {
  const name = getFunctionName(call).replace(/^::/, '')
  return /^[a-z]/.test(name) && host.findFunction(name, top) instanceof PuppetFunction
    ? types.function(name)?.parameters
    : undefined
}

/**
 * Returns the element with this value in a list or hash literal; `undefined` unless exactly one element has the value.
 */
export function findElement({ node, parts }: NodeEvaluation, value: Value): NodeEvaluation | undefined {
  if (node.kind !== 'LiteralList' && node.kind !== 'LiteralHash') return undefined
  const found = parts.filter((part) => isEqualValue(part.value, value))
  return found.length === 1 ? found[0] : undefined
}

/** Returns true if `part` is the function name of the call. */
export function isFunctionName({ node }: NodeEvaluation, part: NodeEvaluation): boolean {
  return node.kind === 'CallNamedFunction' && part.node === node.functor
}

/** Returns the value at a path of keys in nested hashes; `undefined` if a key is missing. */
export function digValue(value: Value, keys: readonly Value[]): Value {
  return keys.reduce<Value>((at, key) => (at instanceof Hash ? at.get(key) : undefined), value)
}
