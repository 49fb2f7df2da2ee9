import type { AnyResource } from '../../resources/managed-resource.ts'
import type { PropertyValues } from '../../resources/provider.ts'
import { redacted } from '../../resources/secrets.ts'
import { hashAuditedValue, isAuditHash, matchesRecordedValue } from './audit-hashes.ts'
import type { Evaluation } from './evaluation.ts'
import { createChangeEvent, formatPropertyValue } from './events.ts'

/** Lists the properties that the metaparameter `audit` names; `all` is every property of the type. */
export function listAuditedProperties(resource: AnyResource, seen: PropertyValues): readonly string[] {
  const wanted = resource.meta('audit') ?? []
  if (!wanted.includes('all')) return wanted
  return Object.keys(resource.type.attributes).filter(
    (name) => resource.type.attributes[name]?.role === 'property' && (name in seen || resource.has(name)),
  )
}

/**
 * Returns the value to record for an audit; for a sensitive value, its scrypt hash. A recorded hash
 * that matches the value is reused.
 */
export function toAuditRecord({ resource }: Evaluation, name: string, value: unknown, before: unknown): unknown {
  if (!resource.hides(name) || value === undefined || value === null) return value
  return isAuditHash(before) && matchesRecordedValue(before, value) ? before : hashAuditedValue(value)
}

/** Logs the first value of an audited property, and reports a changed one that this run did not set. */
export function captureAudits(
  evaluation: Evaluation,
  is: (name: string) => unknown,
  history: ReadonlyMap<string, unknown>,
  synced: ReadonlySet<string>,
): void {
  const { status, log } = evaluation
  for (const [name, before] of history) {
    const value = is(name)
    if (before === undefined) {
      const now = evaluation.resource.hides(name) ? redacted : String(value ?? '')
      log(name).notice(`audit change: newly-recorded value ${now}`)
    } else if (!matchesRecordedValue(before, value) && !synced.has(name)) {
      const event = createChangeEvent(evaluation, name, value, before)
      event.audited = true
      event.status = 'audit'
      const [old, next] = [formatPropertyValue(evaluation, name, before), formatPropertyValue(evaluation, name, value)]
      event.message = `audit change: previously recorded value ${old} has been changed to ${next}`
      log(name).notice(event.message)
      status.add(event)
    }
  }
}
