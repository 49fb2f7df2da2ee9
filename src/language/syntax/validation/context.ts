import type { Diagnostic, Issue } from '../../../base/issue.ts'
import type { AnyNode, NodeOf } from '../tree/nodes.ts'
import type { SyntaxReader } from './external-syntax.ts'

/** Options of validation. */
export interface ValidationOptions {
  /** Severity of duplicate keys: Puppet's setting `strict`. */
  readonly strict?: 'off' | 'warning' | 'error'
  /** True for code of a plan, in which only `apply` blocks have a catalog. */
  readonly tasks?: boolean
  /** Path of a module's manifest relative to the modulepath, such as `ntp/manifests/init.pp`. */
  readonly moduleFile?: string
}

/** Context of a node for validation rules. */
export interface ValidationContext {
  readonly options: ValidationOptions
  /** Parses the Puppet code inside a heredoc. */
  readonly read: SyntaxReader
  /** The ancestor of the current node that is `levels` levels higher; 1 gives the parent. */
  ancestor(levels: number): AnyNode | undefined
  accept<A>(issue: Issue<A>, a: A, node: AnyNode, severity?: Diagnostic['severity']): void
}

/** Validation rules by kind of node. */
export type ValidationRules = {
  readonly [K in AnyNode['kind']]?: (node: NodeOf<K>, context: ValidationContext) => void
}
