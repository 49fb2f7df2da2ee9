import type { SourceSpan } from '../../base/source.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { AnyNode, Operation, ResourceBody } from '../../language/syntax/tree/nodes.ts'
import type { Value } from '../../language/values/value.ts'
import type { Explanation } from '../hiera/explainer.ts'

/** One evaluation of a syntax node, with the evaluations that contributed to its value. */
export interface NodeEvaluation {
  readonly node: AnyNode
  readonly scope: Scope
  readonly value: Value
  /** Evaluations of parts in order. For a block outside of templates, only the evaluation of the last statement. */
  readonly parts: readonly NodeEvaluation[]
  /** Data lookups that the called function made. */
  readonly lookups: readonly LookupEvaluation[]
  /** Variables read by Ruby code during the evaluation. */
  readonly reads: readonly VariableRead[]
}

/** A data lookup and its result. */
export interface LookupEvaluation {
  readonly key: string
  readonly found: boolean
  readonly scope: Scope
  readonly explanation: Explanation
}

/** A variable read by name. */
export interface VariableRead {
  readonly name: string
  readonly scope: Scope
}

/** The assignment of a variable in code. */
export interface VariableAssignment {
  readonly right: NodeEvaluation
  /** Keys or indexes that lead from the assigned value to the variable's value, for `[$a, $b] = …`. */
  readonly keys: readonly Value[]
  readonly span: SourceSpan
}

/** The statement to which a copied span belongs, and the attribute and the resource body at the span. */
export interface SpanOwner {
  readonly statement: NodeEvaluation
  readonly operation: Operation | undefined
  readonly body: ResourceBody | undefined
}

/** The origin of a parameter value that no attribute in the code sets. */
export type UnwrittenOrigin =
  | { readonly kind: 'data'; readonly lookup: LookupEvaluation }
  | { readonly kind: 'default'; readonly evaluated: NodeEvaluation }
  | { readonly kind: 'container'; readonly container: object }
  | { readonly kind: 'statement'; readonly statement: NodeEvaluation }
