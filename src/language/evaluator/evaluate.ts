import type { Host } from '../host.ts'
import type { AnyNode, Kind } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import { access } from './access.ts'
import { arithmetic } from './arithmetic.ts'
import { calls } from './calls.ts'
import { comparison } from './comparison.ts'
import type { Context, Rules } from './context.ts'
import { control } from './control.ts'
import { definitions } from './definitions.ts'
import { errorAt } from './evaluation-error.ts'
import { literals } from './literals.ts'
import type { Observer } from './observer.ts'
import { relationships } from './relationships.ts'
import { resources } from './resources.ts'
import type { Scope } from './scope.ts'
import { templates } from './templates.ts'
import { variables } from './variables.ts'

const rules: Rules<Kind | 'Program'> = {
  ...literals,
  ...variables,
  ...arithmetic,
  ...comparison,
  ...access,
  ...control,
  ...calls,
  ...resources,
  ...relationships,
  ...templates,
  ...definitions,
}

/** Creates a context for evaluating nodes. */
export function makeContext(host: Host, scope: Scope): Context {
  return host.observer ? new ObservedEvaluation(host, scope, host.observer) : new Evaluation(host, scope)
}

/** Evaluates a node in a scope. */
export function evaluate(node: AnyNode, host: Host, scope: Scope): Value {
  return makeContext(host, scope).evaluate(node)
}

class Evaluation implements Context {
  readonly host: Host
  readonly scope: Scope

  constructor(host: Host, scope: Scope) {
    this.host = host
    this.scope = scope
  }

  evaluate(node: AnyNode): Value {
    try {
      // The cast is safe: each rule is stored under the kind of node that it takes.
      return (rules[node.kind as Kind] as (node: AnyNode, context: Context) => Value)(node, this)
    } catch (error) {
      throw errorAt(node, error)
    }
  }

  within(scope: Scope): Context {
    return new Evaluation(this.host, scope)
  }
}

/** An evaluation that reports each node to an observer. */
class ObservedEvaluation extends Evaluation {
  readonly #observer: Observer

  constructor(host: Host, scope: Scope, observer: Observer) {
    super(host, scope)
    this.#observer = observer
  }

  override evaluate(node: AnyNode): Value {
    return this.#observer.evaluating(node, this.scope, (own) => super.evaluate(own))
  }

  override within(scope: Scope): Context {
    this.#observer.entering(scope)
    return new ObservedEvaluation(this.host, scope, this.#observer)
  }
}
