import type { AnyNode } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'

/** Told of an evaluation as it goes on. A host has one only where somebody asks where values come from. */
export interface Observer {
  /**
   * Evaluates a node by its rule, which may be given a copy of the node: one whose spans tell this evaluation of it from
   * all others.
   */
  evaluating(node: AnyNode, scope: Scope, rule: (node: AnyNode) => Value): Value
  /** The scope of a block: what is set in it without an assignment comes from the call that is under way. */
  entering(scope: Scope): void
  /** A variable that Ruby reads. */
  reads(name: string, scope: Scope): void
}
