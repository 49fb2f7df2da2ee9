/** A problem of a file, as reports print it. */
export interface Problem {
  readonly kind: 'warning' | 'error' | 'fixed' | 'ignored'
  /** The name of the check; `syntax` for a syntax error. */
  readonly check: string
  readonly message: string
  readonly line: number
  readonly column: number
  /** The reason of the comment that ignores the problem. */
  readonly reason?: string
}
