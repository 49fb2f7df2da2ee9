import type { EvaluationHost } from '../host.ts'
import type { AnyNode, ExpressionKind } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import { access } from './access.ts'
import { arithmetic } from './arithmetic.ts'
import { calls } from './calls.ts'
import { comparison } from './comparison.ts'
import { controlEvaluation } from './conditionals.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { definitionEvaluation } from './definitions.ts'
import { addErrorLocation } from './evaluation-error.ts'
import { literals } from './literals.ts'
import type { Observer } from './observer.ts'
import { relationshipEvaluation } from './relationships.ts'
import { resourceEvaluation } from './resources.ts'
import type { Scope } from './scope.ts'
import { templates } from './templates.ts'
import { variables } from './variables.ts'

const rules: EvaluationRules<ExpressionKind | 'Program'> = {
  ...literals,
  ...variables,
  ...arithmetic,
  ...comparison,
  ...access,
  ...controlEvaluation,
  ...calls,
  ...resourceEvaluation,
  ...relationshipEvaluation,
  ...templates,
  ...definitionEvaluation,
}

/** Creates a context for evaluating nodes. */
export function makeContext(host: EvaluationHost, scope: Scope): EvaluationContext {
  return host.observer ? new ObservedEvaluation(host, scope, host.observer) : new Evaluation(host, scope)
}

/** Evaluates a node in a scope. */
export function evaluateNode(node: AnyNode, host: EvaluationHost, scope: Scope): Value {
  return makeContext(host, scope).evaluate(node)
}

class Evaluation implements EvaluationContext {
  readonly host: EvaluationHost
  readonly scope: Scope

  constructor(host: EvaluationHost, scope: Scope) {
    this.host = host
    this.scope = scope
  }

  evaluate(node: AnyNode): Value {
    try {
      // The cast is safe: each rule is stored under the kind of node that it takes.
      return (rules[node.kind as ExpressionKind] as (node: AnyNode, context: EvaluationContext) => Value)(node, this)
    } catch (error) {
      throw addErrorLocation(node, error)
    }
  }

  within(scope: Scope): EvaluationContext {
    return new Evaluation(this.host, scope)
  }
}

/** An evaluation that reports each node to an observer. */
class ObservedEvaluation extends Evaluation {
  readonly #observer: Observer

  constructor(host: EvaluationHost, scope: Scope, observer: Observer) {
    super(host, scope)
    this.#observer = observer
  }

  override evaluate(node: AnyNode): Value {
    return this.#observer.evaluating(node, this.scope, (own) => super.evaluate(own))
  }

  override within(scope: Scope): EvaluationContext {
    this.#observer.entering(scope)
    return new ObservedEvaluation(this.host, scope, this.#observer)
  }
}
