import { branches } from '../../code/environments/git/choose-branches.ts'
import { isHidden, refusalOfRef } from '../../code/git/names.ts'
import type { PushCommand } from '../../code/git/push-commands.ts'
import { isNone } from '../../deploy/check.ts'
import { authorize } from '../auth/authorize.ts'
import type { Rule } from '../auth/rule.ts'
import type { Client } from '../http/client.ts'

/** The rights of a client at the refs of a push. */
export interface PushRights {
  /** Reasons by ref; none where all are allowed. */
  readonly denied: ReadonlyMap<string, string>
  /** True where each branch that moves may lose commits, too (a force-push). */
  readonly mayForce: boolean
}

/** A push that asks for leave. */
export interface PushQuestion {
  readonly repository: string
  readonly client: Client
  readonly rules: readonly Rule[]
}

/**
 * The word of auth.conf on each ref of a push, at the path `/git/NAME.git/REF`: `put` brings commits to a ref, `post` may
 * take some from it (a force-push, a tag that moves), `delete` takes it away. Whether a branch loses commits is known
 * only when git has the objects, and then git refuses it where `mayForce` is false.
 */
export function pushRights(commands: readonly PushCommand[], question: PushQuestion): PushRights {
  const { rules, client, repository } = question
  const may = (ref: string, method: string) =>
    authorize(rules, { path: `/git/${repository}.git/${ref}`, method, query: '', client })
  const denied = new Map<string, string>()
  let mayForce = true
  for (const command of commands) {
    const { ref } = command
    const method = methodOf(command)
    // A ref with a rejected name may be deleted.
    const refusal = method === 'delete' && !isHidden(ref) ? undefined : refusalOfRef(ref)
    if (refusal !== undefined) denied.set(ref, refusal)
    else if (!may(ref, method).allowed) denied.set(ref, denials[method])
    else if (method === 'put' && !isNone(command.before)) mayForce &&= may(ref, 'post').allowed
  }
  return { denied, mayForce }
}

const denials = {
  put: 'not allowed by auth.conf',
  post: 'moving it is not allowed by auth.conf',
  delete: 'deleting it is not allowed by auth.conf',
} as const

function methodOf({ ref, before, after }: PushCommand): keyof typeof denials {
  if (isNone(after)) return 'delete'
  // Of a branch commits are expected; what else is there stays what it is.
  return isNone(before) || ref.startsWith(branches) ? 'put' : 'post'
}
