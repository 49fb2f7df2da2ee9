import { branches } from '../../code/environments/git/branch-choice.ts'
import type { PushCommand } from '../../code/git/push-commands.ts'
import { findRefProblem, isInternalRef } from '../../code/git/ref-names.ts'
import { isNullOid } from '../../deploy/push-check.ts'
import { authorize } from '../auth/authorize.ts'
import type { Rule } from '../auth/rule.ts'
import type { Client } from '../http/client.ts'

/** Rights of a client to update the refs of a push. */
export interface PushRights {
  /** Reason of the denial, by ref; empty if all refs are allowed. */
  readonly denied: ReadonlyMap<string, string>
  /** True if force-pushes are allowed on every branch in the push. */
  readonly mayForce: boolean
}

/** A push to be authorized. */
export interface PushQuestion {
  readonly repository: string
  readonly client: Client
  readonly rules: readonly Rule[]
}

/**
 * Authorizes each ref of a push by auth.conf at the path `/git/NAME.git/REF`: `put` adds commits,
 * `post` may remove commits (a force-push, a moved tag), `delete` deletes the ref. Git detects a
 * force-push only after it has the objects, and then rejects it if `mayForce` is false.
 */
export function authorizePush(commands: readonly PushCommand[], question: PushQuestion): PushRights {
  const { rules, client, repository } = question
  const authorizeRef = (ref: string, method: string) =>
    authorize(rules, { path: `/git/${repository}.git/${ref}`, method, query: '', client })
  const denied = new Map<string, string>()
  let mayForce = true
  for (const command of commands) {
    const { ref } = command
    const method = toHttpMethod(command)
    // An existing ref with a disallowed name may still be deleted.
    const refusal = method === 'delete' && !isInternalRef(ref) ? undefined : findRefProblem(ref)
    if (refusal !== undefined) denied.set(ref, refusal)
    else if (!authorizeRef(ref, method).allowed) denied.set(ref, denials[method])
    else if (method === 'put' && !isNullOid(command.before)) mayForce &&= authorizeRef(ref, 'post').allowed
  }
  return { denied, mayForce }
}

const denials = {
  put: 'not allowed by auth.conf',
  post: 'moving it is not allowed by auth.conf',
  delete: 'deleting it is not allowed by auth.conf',
} as const

function toHttpMethod({ ref, before, after }: PushCommand): keyof typeof denials {
  if (isNullOid(after)) return 'delete'
  // Branches normally advance by `put`; changing another existing ref, such as a tag, needs `post`.
  return isNullOid(before) || ref.startsWith(branches) ? 'put' : 'post'
}
