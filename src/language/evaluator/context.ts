import type { Host } from '../host.ts'
import type { AnyNode, NodeOf } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'

/** The surroundings of a node under evaluation: rules get them beside the node, and evaluate its parts in them. */
export interface Context {
  readonly host: Host
  readonly scope: Scope
  /** The value of a node, here. An error that does not know where it happened, happened at the node. */
  evaluate(node: AnyNode): Value
  /** This context with another scope. */
  within(scope: Scope): Context
}

/** The evaluation rules of some kinds of nodes. */
export type Rules<Kinds extends AnyNode['kind']> = {
  readonly [Kind in Kinds]: (node: NodeOf<Kind>, context: Context) => Value
}

/** A rule after which the matches that it made are forgotten. Puppet: Scope#with_guarded_scope. */
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
