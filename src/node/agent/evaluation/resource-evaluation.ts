import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { PropertyValues } from '../../resources/provider.ts'
import { createResourceEvent } from '../event-queue.ts'
import { formatReportTime } from '../log.ts'
import { captureAudits, listAuditedProperties, toAuditRecord } from './audit.ts'
import type { Evaluation } from './evaluation.ts'
import { syncProperty } from './sync-property.ts'

/** Reads the state of a resource and changes it to the desired state; in noop mode, only reports the changes. */
export async function applyResource(evaluation: Evaluation): Promise<void> {
  const { resource, status, state, provider, work, noop, now } = evaluation
  const { reference } = resource
  const started = now()
  try {
    const seen = await provider.read(work)
    const getCurrentValue = (name: string) => (seen['ensure'] === 'absent' ? (seen[name] ?? 'absent') : seen[name])
    state.setChecked(reference, now())
    const audited = listAuditedProperties(resource, seen)
    const history = new Map(audited.map((name) => [name, state.audited(reference, name)]))
    for (const name of audited)
      state.setAudited(reference, name, toAuditRecord(evaluation, name, getCurrentValue(name), history.get(name)))

    const synced = new Set<string>()
    const sync = async (name: string): Promise<boolean> => {
      const event = await syncProperty(
        evaluation,
        name,
        getCurrentValue(name),
        audited.includes(name),
        history.get(name),
      )
      if (event) synced.add(name)
      return event !== undefined
    }
    const changedEnsure = resource.has('ensure') && (await sync('ensure'))
    if (!changedEnsure && isPresent(seen))
      for (const name of resource.properties()) if (name !== 'ensure') await sync(name)
    captureAudits(evaluation, getCurrentValue, history, synced)
    recordSystemValues(evaluation)
    if (status.changed && !noop) {
      state.setSynced(reference, now())
      await provider.flush?.(work)
    }
  } catch (error) {
    recordFailure(evaluation, error)
  } finally {
    status.evaluationTime = (now() - started) / 1000
  }
}

function isPresent(seen: PropertyValues): boolean {
  return seen['ensure'] !== 'absent' && seen['ensure'] !== 'purged'
}

function recordFailure({ log, status, now }: Evaluation, error: unknown): void {
  const message = formatError(error)
  log().err(`Could not evaluate: ${message}`)
  status.add(createResourceEvent('resource_error', 'failure', message, formatReportTime(now())))
}

function recordSystemValues(evaluation: Evaluation): void {
  const { resource, state, status } = evaluation
  const { reference } = resource
  const events = new Map(status.events.map((event) => [event.property, event]))
  for (const name of resource.properties()) {
    if (evaluation.resource.hides(name)) continue
    const event = events.get(name)
    const old = state.systemValue(reference, name)
    if (!event || event.status === 'success') state.setSystemValue(reference, name, toJsonList(resource.choices(name)))
    else if (old) state.setSystemValue(reference, name, old)
    else state.setSystemValue(reference, name, [event.previous_value].flat())
  }
}

function toJsonList(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))
}
