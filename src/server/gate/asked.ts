import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { list, record, text, wireIssues } from '../../base/json/wire.ts'
import { isOid } from '../../code/git/names.ts'
import type { PushedRef } from '../../deploy/check.ts'
import type { AskedGate } from '../../deploy/control/control.ts'

/** Parses a hook's request from the socket. Throws WIRE_SHAPE. */
export function readAsked(asked: unknown): AskedGate {
  const { repository, pushed, quarantine } = record(asked, 'gate')
  const refs = list(pushed, 'gate.pushed')
  if (refs.length > budgets.audit.pushedRefs.bound)
    fail(wireIssues.WIRE_SHAPE, { what: 'gate.pushed', expected: 'shorter' })
  return {
    repository: text(repository, 'gate.repository'),
    pushed: refs.map(pushedRef),
    quarantine: quarantine === null ? null : text(quarantine, 'gate.quarantine'),
  }
}

function pushedRef(each: unknown): PushedRef {
  const { ref, before, after } = record(each, 'gate.pushed')
  return { ref: text(ref, 'gate.pushed.ref'), before: commit(before), after: commit(after) }
}

function commit(value: unknown): string {
  const oid = text(value, 'gate.pushed')
  return isOid(oid) ? oid : fail(wireIssues.WIRE_SHAPE, { what: 'gate.pushed', expected: 'a commit' })
}
