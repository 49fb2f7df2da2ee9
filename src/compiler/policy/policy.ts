import type { Value } from '../../language/values/value.ts'
import type { NamePattern } from './name-pattern.ts'

/** The policy rules of an environment, and the exceptions from them. */
export interface Policies {
  /** Ordered by file name, then by position in the file. */
  readonly rules: readonly Rule[]
  readonly exceptions: readonly Exception[]
}

/** Severities of rules; only errors make a check fail. */
export const severities = ['error', 'warning'] as const
/** The severity of a rule. */
export type RuleSeverity = (typeof severities)[number]

/** A rule that catalogs must obey. */
export interface Rule {
  readonly name: string
  /** Description of the rule, for people. */
  readonly message: string
  readonly severity: RuleSeverity
  /** The file that defines the rule. */
  readonly file: string
  /** Resource types the rule applies to, spelled as in catalogs; empty for all types. */
  readonly types: readonly string[]
  /** Titles the rule applies to; empty for all titles. */
  readonly titles: readonly NamePattern[]
  /** Nodes the rule applies to; empty for all nodes. */
  readonly nodes: readonly NamePattern[]
  readonly test: RuleTest
}

/**
 * A schema that each resource (or its parameters) must match, or a function that is called with the
 * catalog's resources.
 */
export type RuleTest =
  | { readonly kind: 'schema'; readonly of: 'resource' | 'parameters'; readonly violation: SchemaTest }
  | { readonly kind: 'function'; readonly name: string }

/** Returns the first violation of a schema, or `undefined`. */
export type SchemaTest = (data: Readonly<Record<string, unknown>>) => Violation | undefined

/** The first violation of a schema: the path to the invalid part, and the reason. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

/** An exception from a rule, for some resources and nodes, until some day. */
export interface Exception {
  readonly rule: string
  /** References of exempt resources; empty for all findings of the rule. */
  readonly resources: readonly NamePattern[]
  /** Exempt nodes; empty for all nodes. */
  readonly nodes: readonly NamePattern[]
  /** Last day of the exception, such as `2026-12-31`; the day ends at midnight UTC. */
  readonly until: string
  readonly reason: string
}

/** A violation of a rule in a catalog. */
export interface Finding {
  readonly rule: string
  readonly severity: RuleSeverity
  /** Description of the rule, for people. */
  readonly message: string
  /** Detailed reason. */
  readonly detail: string | undefined
  /** Name of the node. */
  readonly node: string
  /** Undefined for a finding about the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
  readonly parameter: string | undefined
  /** The exception that covers the finding, also if it has expired. */
  readonly exception: MadeException | undefined
}

/** An exception as printed with a finding. */
export interface MadeException extends Pick<Exception, 'until' | 'reason'> {
  /** True if the exception has expired, so that the finding counts again. */
  readonly isOver: boolean
}

/** Calls a function of the environment's code. Throws the function's errors. */
export type CallFunction = (name: string, args: readonly Value[]) => Value
