/** A change of what an environment serves, or its refusal. */
export interface ServedChange {
  readonly environment: string
  readonly ref: string
  /** The commit that was served before. */
  readonly old: string | undefined
  readonly new: string | undefined
  /** `kept`: at a start the last good commit, where the newer one is refused. */
  readonly result: 'served' | 'kept' | 'refused' | 'gone'
  /** Why it was refused. */
  readonly reason?: string
}

/** A change in words, for the log. */
export function changeText({ environment, ref, old, new: commit, result, reason }: ServedChange): string {
  if (result === 'served') return `Environment ${environment} is now at ${commit}`
  if (result === 'kept') return `Environment ${environment} stays at ${commit}`
  if (result === 'gone') return `Environment ${environment} is no longer served: ${ref} is gone`
  const at = commit === undefined ? '' : ` at ${commit}`
  return `Environment ${environment} cannot be served${at}: ${reason}${old === undefined ? '' : `; ${old} is still served`}`
}
