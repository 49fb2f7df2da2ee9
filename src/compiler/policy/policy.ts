import type { Value } from '../../language/values/value.ts'
import type { ReferencePattern } from './name-pattern.ts'

/** The policy rules of an environment, and the exceptions to the rules. */
export interface Policies {
  /** Rules ordered by file name, then by position in the file. */
  readonly rules: readonly PolicyRule[]
  readonly exceptions: readonly Exception[]
}

/** Severities of rules. A check fails only for findings with the severity `error`. */
export const severities = ['error', 'warning'] as const
/** The severity of a rule. */
export type RuleSeverity = (typeof severities)[number]

/** A rule that all matching catalogs must satisfy. */
export interface PolicyRule {
  readonly name: string
  /** Description of the rule, for users. */
  readonly message: string
  readonly severity: RuleSeverity
  /** The file that defines the rule. */
  readonly file: string
  /** Resource types the rule applies to, spelled as in catalogs; empty for all types. */
  readonly types: readonly string[]
  /** Titles the rule applies to; empty for all titles. */
  readonly titles: readonly ReferencePattern[]
  /** Nodes the rule applies to; empty for all nodes. */
  readonly nodes: readonly ReferencePattern[]
  readonly test: RuleTest
}

/**
 * The test of a rule: a schema that each resource (or its parameters) must match, or a function that is called with the
 * catalog's resources.
 */
export type RuleTest =
  | { readonly kind: 'schema'; readonly of: 'resource' | 'parameters'; readonly violation: SchemaTest }
  | { readonly kind: 'function'; readonly name: string }

/** Returns the first violation of a schema; `undefined` if the data matches the schema. */
export type SchemaTest = (data: Readonly<Record<string, unknown>>) => Violation | undefined

/** The first violation of a schema: the path to the invalid value, and the reason. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

/** An exception to a rule, for some resources and nodes, until a given day. */
export interface Exception {
  readonly rule: string
  /** References of exempt resources; if empty, the exception covers all findings of the rule. */
  readonly resources: readonly ReferencePattern[]
  /** Exempt nodes; if empty, the exception is for all nodes. */
  readonly nodes: readonly ReferencePattern[]
  /** Last day of the exception, such as `2026-12-31`; the exception ends at midnight UTC after this day. */
  readonly until: string
  readonly reason: string
}

/** A violation of a rule in a catalog. */
export interface PolicyFinding {
  readonly rule: string
  readonly severity: RuleSeverity
  /** Description of the rule, for users. */
  readonly message: string
  /** Detailed reason for the finding. */
  readonly detail: string | undefined
  /** Name of the node. */
  readonly node: string
  /** Reference of the resource; undefined for a finding about the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
  readonly parameter: string | undefined
  /** The exception that covers the finding; an expired exception is included. */
  readonly exception: PrintedException | undefined
}

/** An exception as printed with a finding. */
export interface PrintedException extends Pick<Exception, 'until' | 'reason'> {
  /** True if the exception has expired, so that the finding is no longer excused. */
  readonly isOver: boolean
}

/** Calls a function of the environment's code. Throws the function's errors. */
export type CallFunction = (name: string, args: readonly Value[]) => Value
