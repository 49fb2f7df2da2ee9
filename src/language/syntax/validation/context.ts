import type { Diagnostic, Issue } from '../../../base/issue.ts'
import type { AnyNode, NodeOf } from '../tree/nodes.ts'
import type { Reader } from './external-syntax.ts'

/** Options of validation: the strictness, and the kind and place of the code. */
export interface ValidationOptions {
  /** The severity of a duplicate key; Puppet's setting. */
  readonly strict?: 'off' | 'warning' | 'error'
  /** True for code of a plan, which has no catalog. */
  readonly tasks?: boolean
  /** The path under the modulepath of a manifest of a module, e.g. `ntp/manifests/init.pp`. */
  readonly moduleFile?: string
}

/** The surroundings of a node, for validation rules. */
export interface Context {
  readonly options: ValidationOptions
  /** Reads the code in a heredoc. */
  readonly read: Reader
  /** The node that encloses the present one, so many levels up. */
  ancestor(levels: number): AnyNode | undefined
  accept<A>(issue: Issue<A>, a: A, node: AnyNode, severity?: Diagnostic['severity']): void
}

/** Rules for some kinds of nodes. */
export type Rules = { readonly [K in AnyNode['kind']]?: (node: NodeOf<K>, context: Context) => void }
