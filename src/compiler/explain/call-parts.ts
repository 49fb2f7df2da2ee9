import { PuppetFunction } from '../../language/evaluator/closure.ts'
import { unparenthesized } from '../../language/evaluator/literals.ts'
import type { Parameter } from '../../language/syntax/tree/nodes.ts'
import { equals } from '../../language/values/equals.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { Evaluated } from '../provenance/evaluated.ts'

/** The name of the function that is called, or of the type. */
export function functionName({ node }: Evaluated): string {
  if (node.kind === 'CallNamedFunction') {
    const functor = node.functor.kind === 'Access' ? node.functor.left : node.functor
    if (functor.kind === 'QualifiedReference') return functor.casedValue
    return functor.kind === 'QualifiedName' ? functor.value : ''
  }
  if (node.kind !== 'CallMethod') return ''
  const name = node.functor.right
  return name.kind === 'QualifiedName' ? name.value : ''
}

/** The evaluated arguments of a call, what it is called on first. */
export function argumentsOf({ node, parts }: Evaluated): readonly Evaluated[] {
  if (node.kind !== 'CallNamedFunction' && node.kind !== 'CallMethod') return []
  const nodes = [...(node.kind === 'CallMethod' ? [node.functor.left] : []), ...node.arguments].map(unparenthesized)
  return nodes.flatMap((each) => parts.find((part) => part.node === each) ?? [])
}

/** The parameters of a function of the environment's code in Puppet's language. */
export function parametersOf(call: Evaluated, { types, host, top }: Compilation): readonly Parameter[] | undefined {
  const name = functionName(call).replace(/^::/, '')
  return /^[a-z]/.test(name) && host.findFunction(name, top) instanceof PuppetFunction
    ? types.function(name)?.parameters
    : undefined
}

/** The part of a list or hash in the code that has a value; `undefined` where the code has no such part. */
export function elementOf({ node, parts }: Evaluated, value: Value): Evaluated | undefined {
  if (node.kind !== 'LiteralList' && node.kind !== 'LiteralHash') return undefined
  const found = parts.filter((part) => equals(part.value, value))
  return found.length === 1 ? found[0] : undefined
}

/** True for the name of a call's function, as an evaluated part. */
export function isFunctor({ node }: Evaluated, part: Evaluated): boolean {
  return node.kind === 'CallNamedFunction' && part.node === node.functor
}

/** The value that keys lead to in a hash; `undefined` where they lead nowhere. */
export function dug(value: Value, keys: readonly Value[]): Value {
  return keys.reduce<Value>((at, key) => (at instanceof Hash ? at.get(key) : undefined), value)
}
