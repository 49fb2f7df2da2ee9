import type { RuleSeverity } from '../policy/policy.ts'

/** A fault of a catalog. */
export interface CatalogFault {
  /**
   * A violated policy rule, policies that cannot be evaluated, or a file source that the server
   * does not have.
   */
  readonly kind: 'policy' | 'policies' | 'source'
  /** Name of the violated rule. */
  readonly rule: string | undefined
  /** Severity; a warning does not prevent the use of the catalog. */
  readonly severity: RuleSeverity
  readonly message: string
  /** Undefined for a fault of the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
}
