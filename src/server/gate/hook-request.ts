import { throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, wireIssues } from '../../base/json/json-checks.ts'
import { isOid } from '../../code/git/ref-names.ts'
import type { GateRequest } from '../../deploy/control/control-socket.ts'
import type { PushedRef } from '../../deploy/push-check.ts'

/** Parses a hook's request from the socket. Throws WIRE_SHAPE. */
export function parseHookRequest(asked: unknown): GateRequest {
  const { repository, pushed, quarantine } = checkJsonObject(asked, 'gate')
  return {
    repository: checkJsonString(repository, 'gate.repository'),
    pushed: checkJsonArray(pushed, 'gate.pushed').map(parsePushedRef),
    quarantine: quarantine === null ? null : checkJsonString(quarantine, 'gate.quarantine'),
  }
}

function parsePushedRef(each: unknown): PushedRef {
  const { ref, before, after } = checkJsonObject(each, 'gate.pushed')
  return { ref: checkJsonString(ref, 'gate.pushed.ref'), before: parseCommit(before), after: parseCommit(after) }
}

function parseCommit(value: unknown): string {
  const oid = checkJsonString(value, 'gate.pushed')
  return isOid(oid) ? oid : throwIssue(wireIssues.WIRE_SHAPE, { what: 'gate.pushed', expected: 'a commit' })
}
