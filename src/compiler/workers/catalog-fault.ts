import type { RuleSeverity } from '../policy/policy.ts'

/** A place of a catalog that is not as it has to be. */
export interface CatalogFault {
  /** A rule of a policy that it breaks; policies that cannot be asked; a source that the server does not have. */
  readonly kind: 'policy' | 'policies' | 'source'
  /** The name of the rule. */
  readonly rule: string | undefined
  /** Agents, or people, do without what is a warning. */
  readonly severity: RuleSeverity
  readonly message: string
  /** `undefined` of a fault of the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
}
