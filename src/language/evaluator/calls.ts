import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { CallMethod, CallNamedFunction, Expression } from '../syntax/tree/nodes.ts'
import { callMember } from '../types/objects/call-member.ts'
import { type Callable, callByName } from '../values/callable.ts'
import { ObjectValue } from '../values/object.ts'
import type { Value } from '../values/value.ts'
import { requireBounded } from '../values/value-size-limits.ts'
import { createLambda } from './closure.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { evaluateAll } from './literals.ts'

/** Rules of calls, `name(a)` and `a.name()`. `Integer('5')` calls `new`; a lambda becomes a `Closure`. */
export const calls: EvaluationRules<'CallNamedFunction' | 'CallMethod' | 'NamedAccess' | 'Lambda'> = {
  CallNamedFunction(node, context) {
    const { functor } = node
    if (isTypeExpression(functor))
      return callFunction('new', [context.evaluate(functor), ...evaluateAll(node.arguments, context)], node, context)
    if (functor.kind === 'RenderString') failAtSpan(node.span, evaluatorIssues.ILLEGAL_EPP_PARAMETERS, {})
    if (functor.kind !== 'QualifiedName')
      failAtSpan(functor.span, evaluatorIssues.ILLEGAL_EXPRESSION, {
        node: functor,
        feature: 'function name',
        container: node,
      })
    return callFunction(functor.value, evaluateAll(node.arguments, context), node, context)
  },

  CallMethod(node, context) {
    const { functor } = node
    const name = functor.right
    if (name.kind !== 'QualifiedName')
      failAtSpan(functor.span, evaluatorIssues.ILLEGAL_EXPRESSION, {
        node: functor,
        feature: 'function name',
        container: node,
      })
    const receiver = evaluateAll([functor.left], context)
    const [object] = receiver
    const rest = evaluateAll(node.arguments, context)
    const args = [...receiver, ...rest]
    const method = object instanceof ObjectValue ? object.method(name.value) : undefined
    if (method) return invokeCallable(method, args, node, context)
    const member = callMember(object, name.value, rest, node.lambda && createLambda(node.lambda, context))
    return member ? member.value : callFunction(name.value, args, node, context)
  },

  NamedAccess: (node) =>
    failAtSpan(node.span, evaluatorIssues.ILLEGAL_EXPRESSION, { node, feature: 'function accessor', container: node }),

  Lambda: (node, context) => createLambda(node, context),
}

/** Hints for functions that need a setting. */
const neededFor: ReadonlyMap<string, string> = new Map([
  ['puppetdb_query', "Set 'store' in puppet.conf to query nodes."],
])

function callFunction(
  name: string,
  args: readonly Value[],
  node: CallNamedFunction | CallMethod,
  context: EvaluationContext,
): Value {
  const { host, scope } = context
  const callable = host.findFunction(name, scope)
  if (!callable)
    return failAtSpan(node.span, evaluatorIssues.UNKNOWN_FUNCTION, {
      name,
      hint: neededFor.get(name) ?? formatSuggestion(name, host.functionNames()),
    })
  return invokeCallable(callable, args, node, context)
}

function invokeCallable(
  callable: Callable,
  args: readonly Value[],
  { lambda, span }: CallNamedFunction | CallMethod,
  context: EvaluationContext,
): Value {
  const { host, scope } = context
  return requireBounded(callByName(callable, { host, scope, span }, args, lambda && createLambda(lambda, context)))
}

/** True if the called expression is a type, as in `Integer(…)` and `Integer[0](…)`: such a call calls `new`. */
function isTypeExpression(functor: Expression): boolean {
  return (
    functor.kind === 'QualifiedReference' || (functor.kind === 'Access' && functor.left.kind === 'QualifiedReference')
  )
}
