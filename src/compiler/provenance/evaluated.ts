import type { Span } from '../../base/source.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { AnyNode, Operation, ResourceBody } from '../../language/syntax/tree/nodes.ts'
import type { Value } from '../../language/values/value.ts'
import type { Explanation } from '../hiera/explainer.ts'

/** One evaluation of a node, and the evaluations that its value was made of. */
export interface Evaluated {
  readonly node: AnyNode
  readonly scope: Scope
  readonly value: Value
  /** Its parts, in their order; of a block, the last only, outside of templates. */
  readonly parts: readonly Evaluated[]
  /** Lookups of data by the function that was called. */
  readonly lookups: readonly LookedUp[]
  /** Variables that Ruby read in it. */
  readonly reads: readonly VariableRead[]
}

/** A lookup of data, and how it went. */
export interface LookedUp {
  readonly key: string
  readonly found: boolean
  readonly scope: Scope
  readonly explanation: Explanation
}

/** A variable that is read by its name. */
export interface VariableRead {
  readonly name: string
  readonly scope: Scope
}

/** A variable that code assigns. */
export interface Assigned {
  readonly right: Evaluated
  /** Keys or indexes that lead to its value in what is assigned, of `[$a, $b] = …`. */
  readonly keys: readonly Value[]
  readonly span: Span
}

/** The evaluation that a span stands for, and what of it. */
export interface Spanned {
  readonly statement: Evaluated
  readonly operation: Operation | undefined
  readonly body: ResourceBody | undefined
}

/** The origin of a parameter that no attribute of the code sets. */
export type UnwrittenOrigin =
  | { readonly kind: 'data'; readonly lookup: LookedUp }
  | { readonly kind: 'default'; readonly evaluated: Evaluated }
  | { readonly kind: 'container'; readonly container: object }
  | { readonly kind: 'statement'; readonly statement: Evaluated }
