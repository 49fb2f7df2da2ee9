/** A change of the commit that an environment serves, or a rejection of a new commit. */
export interface ServedChange {
  readonly environment: string
  readonly ref: string
  /** The commit served before. */
  readonly old: string | undefined
  readonly new: string | undefined
  /** `kept`: at startup, the last good commit is served because the newer commit was rejected. */
  readonly result: 'served' | 'kept' | 'refused' | 'gone'
  /** Reason for a rejection. */
  readonly reason?: string
}

/** Returns the log message for a change. */
export function formatServedChange({ environment, ref, old, new: commit, result, reason }: ServedChange): string {
  if (result === 'served') return `Environment ${environment} is now at ${commit}`
  if (result === 'kept') return `Environment ${environment} stays at ${commit}`
  if (result === 'gone') return `Environment ${environment} is no longer served: ${ref} was deleted`
  const at = commit === undefined ? '' : ` at ${commit}`
  return `Environment ${environment} cannot be served${at}: ${reason}${old === undefined ? '' : `; ${old} is still served`}`
}
