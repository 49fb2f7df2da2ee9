/** An alert in a status, as Puppet's status service has it. */
export interface Alert {
  readonly severity: 'info' | 'warning' | 'error'
  readonly message: string
}
