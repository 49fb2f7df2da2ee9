/** An alert in the format of Puppet's status service. */
export interface Alert {
  readonly severity: 'info' | 'warning' | 'error'
  readonly message: string
}
