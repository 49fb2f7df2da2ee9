import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { list, optionalText, record, text, wireIssues } from '../../base/json/wire.ts'
import { isOid } from '../../code/git/names.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GateWord, PushRecord } from '../../store/audit/record.ts'
import type { Finding, PushedRef } from '../check.ts'
import { pusherOf } from '../pusher.ts'
import { controlPath, tellControl } from './control.ts'

/** A push, as reported by a hook. */
export interface ToldPush {
  readonly pushed: readonly PushedRef[]
  readonly result: PushRecord['result']
  readonly reason?: string | undefined
  readonly gate?: GateWord | undefined
}

/**
 * Reports a push to the running server for its audit log: ref, old and new commit, pusher, and result. Returns false if
 * no server received the report; the hook does not fail then.
 */
export async function recordPush(
  settings: Pick<Settings, 'rundir'>,
  { pushed, result, reason, gate }: ToldPush,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  const pusher = pusherOf(env)
  const told = pushed.slice(0, budgets.audit.pushedRefs.bound).map(({ ref, before, after }) => ({
    ...{ ref, old: before, new: after, pusher, result },
    ...(reason !== undefined && { reason }),
    ...(gate !== undefined && { gate }),
  }))
  return tellControl(controlPath(settings), 'pushed', told)
}

/** The reason for rejecting a push: the first error, and the number of further errors. */
export function refusalOf(findings: readonly Finding[]): string | undefined {
  const errors = findings.filter(({ diagnostic }) => diagnostic.severity === 'error')
  const [first] = errors
  if (!first) return undefined
  return errors.length === 1 ? first.diagnostic.message : `${first.diagnostic.message} (and ${errors.length - 1} more)`
}

const gateWords: readonly GateWord[] = ['passed', 'warned', 'refused', 'skipped']

/** Parses the report of a push from a hook. Throws WIRE_SHAPE. */
export function pushRecordsFromWire(body: unknown): readonly PushRecord[] {
  const all = list(body, 'push')
  if (all.length > budgets.audit.pushedRefs.bound) fail(wireIssues.WIRE_SHAPE, { what: 'push', expected: 'shorter' })
  return all.map((each) => {
    const { ref, old, new: after, pusher, result, reason, gate } = record(each, 'push')
    if (result !== 'accepted' && result !== 'refused' && result !== 'tried')
      return fail(wireIssues.WIRE_SHAPE, { what: 'push.result', expected: 'accepted, refused or tried' })
    const word = gateWords.find((known) => known === gate)
    const why = optionalText(reason, 'push.reason')
    return {
      kind: 'push',
      ref: bounded(ref, 'push.ref'),
      old: commit(old, 'push.old'),
      new: commit(after, 'push.new'),
      pusher: bounded(pusher, 'push.pusher'),
      result,
      ...(why !== undefined && { reason: bounded(why, 'push.reason') }),
      ...(word && { gate: word }),
    }
  })
}

/** A request to serve the newest code of an environment although the gate rejected it, with the requesting user. */
export interface AskedSkip {
  readonly environment: string
  readonly pusher: string
}

/** Parses the request of `plumb code deploy --skip-gate`. Throws WIRE_SHAPE. */
export function skipFromWire(body: unknown): AskedSkip {
  const { environment, pusher } = record(body, 'skip')
  return { environment: bounded(environment, 'skip.environment'), pusher: bounded(pusher, 'skip.pusher') }
}

function bounded(value: unknown, what: string): string {
  return text(value, what).slice(0, budgets.audit.text.bound)
}

function commit(value: unknown, what: string): string {
  const oid = text(value, what)
  return isOid(oid) ? oid : fail(wireIssues.WIRE_SHAPE, { what, expected: 'a commit' })
}
