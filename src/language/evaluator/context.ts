import type { Host } from '../host.ts'
import type { AnyNode, NodeOf } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'

/** The host and scope in which a rule evaluates a node and its children. */
export interface Context {
  readonly host: Host
  readonly scope: Scope
  /** Evaluates a node in this scope. Adds the location of the node to an error without one. */
  evaluate(node: AnyNode): Value
  /** Returns a copy of this context with another scope. */
  within(scope: Scope): Context
}

/** Evaluation rules by kind of node. */
export type Rules<Kinds extends AnyNode['kind']> = {
  readonly [Kind in Kinds]: (node: NodeOf<Kind>, context: Context) => Value
}

/**
 * Wraps a rule so that regular expression captures are restored after it. Puppet:
 * Scope#with_guarded_scope.
 */
export function guarded<Node extends AnyNode>(rule: (node: Node, context: Context) => Value) {
  return (node: Node, context: Context): Value => {
    const { scope } = context
    const { matches } = scope
    try {
      return rule(node, context)
    } finally {
      scope.matches = matches
    }
  }
}
