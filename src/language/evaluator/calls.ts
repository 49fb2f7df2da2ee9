import { didYouMean } from '../../base/text/suggest.ts'
import type { CallMethod, CallNamedFunction, Expression } from '../syntax/tree/nodes.ts'
import { callMember } from '../types/objects/call-member.ts'
import type { Callable } from '../values/callable.ts'
import { ObjectValue } from '../values/object.ts'
import type { Value } from '../values/value.ts'
import { requireBounded } from '../values/value-bounds.ts'
import { Closure } from './closure.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { evaluateAll } from './literals.ts'

/** Rules of calls, `name(a)` and `a.name()`. `Integer('5')` calls `new`; a lambda becomes a `Closure`. */
export const calls: Rules<'CallNamedFunction' | 'CallMethod' | 'NamedAccess' | 'Lambda'> = {
  CallNamedFunction(node, context) {
    const { functor } = node
    if (isTypeExpression(functor))
      return call('new', [context.evaluate(functor), ...evaluateAll(node.arguments, context)], node, context)
    if (functor.kind === 'RenderString') failAt(node.span, issues.ILLEGAL_EPP_PARAMETERS, {})
    if (functor.kind !== 'QualifiedName')
      failAt(functor.span, issues.ILLEGAL_EXPRESSION, { node: functor, feature: 'function name', container: node })
    return call(functor.value, evaluateAll(node.arguments, context), node, context)
  },

  CallMethod(node, context) {
    const { functor } = node
    const name = functor.right
    if (name.kind !== 'QualifiedName')
      failAt(functor.span, issues.ILLEGAL_EXPRESSION, { node: functor, feature: 'function name', container: node })
    const receiver = evaluateAll([functor.left], context)
    const [object] = receiver
    const rest = evaluateAll(node.arguments, context)
    const args = [...receiver, ...rest]
    const method = object instanceof ObjectValue ? object.method(name.value) : undefined
    if (method) return run(method, args, node, context)
    const member = callMember(object, name.value, rest, node.lambda && new Closure(node.lambda, context))
    return member ? member.value : call(name.value, args, node, context)
  },

  NamedAccess: (node) =>
    failAt(node.span, issues.ILLEGAL_EXPRESSION, { node, feature: 'function accessor', container: node }),

  Lambda: (node, context) => new Closure(node, context),
}

/** Hints for functions that need a setting. */
const neededFor: ReadonlyMap<string, string> = new Map([
  ['puppetdb_query', "Set 'store' in puppet.conf to query nodes."],
])

function call(name: string, args: readonly Value[], node: CallNamedFunction | CallMethod, context: Context): Value {
  const { host, scope } = context
  const callable = host.findFunction(name, scope)
  if (!callable)
    return failAt(node.span, issues.UNKNOWN_FUNCTION, {
      name,
      hint: neededFor.get(name) ?? didYouMean(name, host.functionNames()),
    })
  return run(callable, args, node, context)
}

function run(
  callable: Callable,
  args: readonly Value[],
  { lambda, span }: CallNamedFunction | CallMethod,
  context: Context,
): Value {
  const { host, scope } = context
  return requireBounded(callable.call({ host, scope, span }, args, lambda && new Closure(lambda, context)))
}

/** True for a type as in `Integer(…)` and `Integer[0](…)`, which call `new`. */
function isTypeExpression(functor: Expression): boolean {
  return (
    functor.kind === 'QualifiedReference' || (functor.kind === 'Access' && functor.left.kind === 'QualifiedReference')
  )
}
