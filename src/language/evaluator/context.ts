import type { EvaluationHost } from '../host.ts'
import type { AnyNode, NodeOf } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'

/** The host and scope in which a rule evaluates a node and its children. */
export interface EvaluationContext {
  readonly host: EvaluationHost
  readonly scope: Scope
  /** Evaluates a node in this scope. Adds the location of the node to an error without one. */
  evaluate(node: AnyNode): Value
  /** Returns a copy of this context with another scope. */
  within(scope: Scope): EvaluationContext
}

/** Evaluation rules by kind of node. */
export type EvaluationRules<Kinds extends AnyNode['kind']> = {
  readonly [Kind in Kinds]: (node: NodeOf<Kind>, context: EvaluationContext) => Value
}

/**
 * Wraps a rule so that regular expression captures are restored after it. Puppet:
 * Scope#with_guarded_scope.
 */
export function preserveMatches<Node extends AnyNode>(rule: (node: Node, context: EvaluationContext) => Value) {
  return (node: Node, context: EvaluationContext): Value => {
    const { scope } = context
    const { matches } = scope
    try {
      return rule(node, context)
    } finally {
      scope.matches = matches
    }
  }
}
