import type { RuleSeverity } from '../policy/policy.ts'

/** A fault found in a catalog. */
export interface CatalogFault {
  /**
   * Kind of the fault: a violated policy rule; policies that cannot be evaluated; or a file source that does not exist
   * on the server.
   */
  readonly kind: 'policy' | 'policies' | 'source'
  /** Name of the violated rule. */
  readonly rule: string | undefined
  /** Severity of the fault; a warning does not prevent the use of the catalog. */
  readonly severity: RuleSeverity
  readonly message: string
  /** Reference of the resource; undefined for a fault of the catalog as a whole. */
  readonly resource: string | undefined
  readonly file: string | undefined
  readonly line: number | undefined
}
