import type { AnyNode } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'

/** Observes an evaluation to find where values come from. Ordinary compilations have no observer. */
export interface Observer {
  /**
   * Evaluates a node by calling its rule. May pass a copy of the node whose spans identify this
   * evaluation.
   */
  evaluating(node: AnyNode, scope: Scope, rule: (node: AnyNode) => Value): Value
  /** Reports the scope of a block. Variables that it contains without an assignment come from the current call. */
  entering(scope: Scope): void
  /** Reports a variable read by Ruby. */
  reads(name: string, scope: Scope): void
}
