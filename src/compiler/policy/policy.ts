import type { Value } from '../../language/values/value.ts'
import type { NamePattern } from './name-pattern.ts'

/** The rules of an environment, and the exceptions from them. */
export interface Policies {
  /** By file, and within a file as they stand there. */
  readonly rules: readonly Rule[]
  readonly exceptions: readonly Exception[]
}

/** Severities of rules: only an error makes a check fail. */
export const severities = ['error', 'warning'] as const
/** The severity of a rule. */
export type RuleSeverity = (typeof severities)[number]

/** One demand on catalogs. */
export interface Rule {
  readonly name: string
  /** The rule in words. */
  readonly message: string
  readonly severity: RuleSeverity
  /** The file that it stands in. */
  readonly file: string
  /** The types of resources that it is about, as catalogs write them; all where there are none. */
  readonly types: readonly string[]
  /** The titles that it is about; all where there are none. */
  readonly titles: readonly NamePattern[]
  /** The nodes that it is about; all where there are none. */
  readonly nodes: readonly NamePattern[]
  readonly test: RuleTest
}

/** A schema that each resource, or the hash of its parameters, has to meet; or a function that gets all of them. */
export type RuleTest =
  | { readonly kind: 'schema'; readonly of: 'resource' | 'parameters'; readonly violation: SchemaTest }
  | { readonly kind: 'function'; readonly name: string }

/** The first violation of a schema, if any. */
export type SchemaTest = (data: Readonly<Record<string, unknown>>) => Violation | undefined

/** The first thing in a value that a schema does not allow, by the way to it. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

/** A rule that does not count for some resources of some nodes, for some time. */
export interface Exception {
  readonly rule: string
  /** References of resources; all of the rule's findings where there are none. */
  readonly resources: readonly NamePattern[]
  /** All nodes where there are none. */
  readonly nodes: readonly NamePattern[]
  /** The last day, `2026-12-31`; it ends where the day ends in UTC. */
  readonly until: string
  readonly reason: string
}

/** A place of a catalog that is not as a rule wants it. */
export interface Finding {
  readonly rule: string
  readonly severity: RuleSeverity
  /** The rule in words. */
  readonly message: string
  /** The fault, exactly. */
  readonly detail: string | undefined
  /** The node of the catalog. */
  readonly node: string
  /** `undefined` for a finding about the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
  readonly parameter: string | undefined
  /** The exception that is made here, or was. */
  readonly exception: MadeException | undefined
}

/** An exception as a finding shows it. */
export interface MadeException extends Pick<Exception, 'until' | 'reason'> {
  /** True of one that has run out: the finding counts again. */
  readonly isOver: boolean
}

/** Calls a function of the environment's code. Throws its errors. */
export type CallFunction = (name: string, args: readonly Value[]) => Value
