import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import {
  checkJsonArray,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
  wireIssues,
} from '../../base/json/json-checks.ts'
import { isOid } from '../../code/git/ref-names.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GateDecision, PushRecord } from '../../store/audit/record.ts'
import type { PushedRef, PushFinding } from '../push-check.ts'
import { getPusher } from '../pusher.ts'
import { getControlPath, sendNotification } from './control-socket.ts'

/** A push, as reported by a hook. */
export interface PushReport {
  readonly pushed: readonly PushedRef[]
  readonly result: PushRecord['result']
  readonly reason?: string | undefined
  readonly gate?: GateDecision | undefined
  readonly lint?: GateDecision | undefined
  readonly format?: GateDecision | undefined
}

/**
 * Reports a push to the running server for its audit log: ref, old and new commit, pusher, and result. Returns false if
 * no server received the report; the hook does not fail then.
 */
export async function reportPush(
  settings: Pick<Settings, 'rundir'>,
  { pushed, result, reason, gate, lint, format }: PushReport,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  const pusher = getPusher(env)
  const told = pushed.slice(0, budgets.audit.pushedRefs.bound).map(({ ref, before, after }) => ({
    ...{ ref, old: before, new: after, pusher, result },
    ...(reason !== undefined && { reason }),
    ...(gate !== undefined && { gate }),
    ...(lint !== undefined && { lint }),
    ...(format !== undefined && { format }),
  }))
  return sendNotification(getControlPath(settings), 'pushed', told)
}

/** The reason for rejecting a push: the first error, and the number of further errors. */
export function formatRejectionReason(findings: readonly PushFinding[]): string | undefined {
  const errors = findings.filter(({ diagnostic }) => diagnostic.severity === 'error')
  const [first] = errors
  if (!first) return undefined
  return errors.length === 1 ? first.diagnostic.message : `${first.diagnostic.message} (and ${errors.length - 1} more)`
}

const gateWords: readonly GateDecision[] = ['passed', 'warned', 'refused', 'skipped']

/** Parses the report of a push from a hook. Throws WIRE_SHAPE. */
export function parsePushRecords(body: unknown): readonly PushRecord[] {
  const all = checkJsonArray(body, 'push')
  if (all.length > budgets.audit.pushedRefs.bound)
    throwIssue(wireIssues.WIRE_SHAPE, { what: 'push', expected: 'shorter' })
  return all.map((each) => {
    const { ref, old, new: after, pusher, result, reason, ...decisions } = checkJsonObject(each, 'push')
    if (result !== 'accepted' && result !== 'refused' && result !== 'tried')
      return throwIssue(wireIssues.WIRE_SHAPE, { what: 'push.result', expected: 'accepted, refused or tried' })
    const why = checkOptionalString(reason, 'push.reason')
    return {
      kind: 'push',
      ref: parseBoundedText(ref, 'push.ref'),
      old: parseCommitId(old, 'push.old'),
      new: parseCommitId(after, 'push.new'),
      pusher: parseBoundedText(pusher, 'push.pusher'),
      result,
      ...(why !== undefined && { reason: parseBoundedText(why, 'push.reason') }),
      ...parseDecisions(decisions),
    }
  })
}

function parseDecisions(given: Readonly<Record<string, unknown>>): Pick<PushRecord, 'gate' | 'lint' | 'format'> {
  const words = (['gate', 'lint', 'format'] as const).map((name) => [
    name,
    gateWords.find((known) => known === given[name]),
  ])
  return Object.fromEntries(words.filter(([, word]) => word !== undefined))
}

/** A request to serve the newest code of an environment although the gate rejected it, with the requesting user. */
export interface SkipRequest {
  readonly environment: string
  readonly pusher: string
}

/** Parses the request of `plumb code deploy --skip-gate`. Throws WIRE_SHAPE. */
export function parseSkipRequest(body: unknown): SkipRequest {
  const { environment, pusher } = checkJsonObject(body, 'skip')
  return {
    environment: parseBoundedText(environment, 'skip.environment'),
    pusher: parseBoundedText(pusher, 'skip.pusher'),
  }
}

function parseBoundedText(value: unknown, what: string): string {
  return checkJsonString(value, what).slice(0, budgets.audit.text.bound)
}

function parseCommitId(value: unknown, what: string): string {
  const oid = checkJsonString(value, what)
  return isOid(oid) ? oid : throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'a commit' })
}
