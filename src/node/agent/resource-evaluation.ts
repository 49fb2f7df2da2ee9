import { PuppetError } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ReportEvent } from '../../model/report.ts'
import type { AnyResource } from '../resources/managed-resource.ts'
import type { AnyProvider, PropertyValues, ProviderWork } from '../resources/provider.ts'
import { redacted } from '../resources/secrets.ts'
import { formatLogValue } from '../resources/value-format.ts'
import { hashAuditedValue, isAuditHash, matchesRecordedValue } from './audit-hashes.ts'
import { createResourceEvent } from './event-queue.ts'
import { formatReportTime, type Log } from './log.ts'
import type { MutableEvent, StatusBuilder } from './report-builder.ts'
import type { RunState } from './state-files.ts'

/** The input for the evaluation of a resource. */
export interface Evaluation {
  readonly resource: AnyResource
  readonly provider: AnyProvider
  // biome-ignore lint/suspicious/noExplicitAny: the attributes and the state are those of the provider
  readonly work: ProviderWork<any, any>
  readonly status: StatusBuilder
  readonly state: RunState
  readonly noop: boolean
  readonly now: () => number
  /** The log with the resource or one of its properties as the source. */
  log(property?: string): Log
}

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

/** Sets one property if it is out of sync. Returns the event; undefined if in sync. */
async function syncProperty(
  evaluation: Evaluation,
  name: string,
  is: unknown,
  audited: boolean,
  historical: unknown,
): Promise<ReportEvent | undefined> {
  const { resource, noop, status, log } = evaluation
  const choices = resource.choices(name)
  if (choices.length === 0) return undefined
  let event: MutableEvent | undefined
  try {
    if (await isPropertyInSync(evaluation, name, is, choices)) return undefined
    event = createChangeEvent(evaluation, name, is, historical)
    if (audited) event.audited = true
    const previously =
      audited && historical !== undefined && !matchesRecordedValue(historical, is)
        ? ` (previously recorded value was ${formatPropertyValue(evaluation, name, historical)})`
        : ''
    if (noop) {
      const [old, next] = [formatPropertyValue(evaluation, name, is), formatDesiredValue(evaluation, name)]
      event.message = `current_value ${old}, should be ${next} (noop)${previously}`
      event.status = 'noop'
    } else {
      await setProperty(evaluation, name, is)
      event.message = `${formatChange(evaluation, name, is)}${previously}`
      event.status = 'success'
    }
  } catch (error) {
    event = createChangeEvent(evaluation, name, is, historical)
    const message = formatError(error)
    log('').err(message)
    const [old, next] = [formatPropertyValue(evaluation, name, is), formatDesiredValue(evaluation, name)]
    event.message = `change from ${old} to ${next} failed: ${message}`
    event.status = 'failure'
  }
  event.corrective_change = isCorrective(evaluation, name, is)
  if (event.corrective_change) event.message += ' (corrective)'
  status.add(event)
  const level = event.status === 'failure' ? 'err' : (resource.meta('loglevel') ?? 'notice')
  log(name)[level](event.message)
  return event
}

async function isPropertyInSync(
  { provider, work, resource }: Evaluation,
  name: string,
  is: unknown,
  choices: readonly unknown[],
): Promise<boolean> {
  const ask = provider.inSync?.[name]
  if (ask) return ask(work, is, choices)
  const definition = resource.type.attributes[name]
  if (definition?.inSync) return choices.some((each) => definition.inSync?.(is, each))
  return choices.some((each) => isEqualValue(is, each))
}

/**
 * True if two values are equal, or if one is the text of the other (Puppet: property.rb,
 * `property_matches?`).
 */
function isEqualValue(is: unknown, should: unknown): boolean {
  if (is === undefined || is === null) return is === should
  return formatLogValue(is) === formatLogValue(should) || String(is) === should || is === String(should)
}

async function setProperty({ provider, work, resource }: Evaluation, name: string, is: unknown): Promise<void> {
  const should = getDesiredValue(resource, name)
  const setter = provider.set?.[name]
  if (name !== 'ensure') {
    if (setter) await setter(work, should as never, is)
    else resource.fail(`The ${provider.name} provider can not handle attribute ${name}`)
    return
  }
  try {
    if (setter) await setter(work, should as never, is)
    else if (should === 'absent') await provider.remove?.(work)
    else await provider.create?.(work)
  } catch (error) {
    if (error instanceof PuppetError) throw error
    resource.fail(`Could not set '${String(should)}' on ensure: ${formatError(error)}`)
  }
}

function getDesiredValue(resource: AnyResource, name: string): unknown {
  return resource.value(name)
}

function formatPropertyValue(
  { provider, resource, work }: Evaluation,
  name: string,
  value: unknown,
  isPresent = true,
): string {
  if (resource.hides(name)) return redacted
  const special = isPresent ? resource.type.attributes[name]?.show?.(value) : undefined
  return special ?? provider.show?.[name]?.(work, value, !isPresent) ?? formatLogValue(value)
}

function formatDesiredValue(evaluation: Evaluation, name: string): string {
  const { resource } = evaluation
  const should = getDesiredValue(resource, name)
  const show = resource.type.attributes[name]?.showWanted
  return show && !resource.hides(name) ? show(should) : formatPropertyValue(evaluation, name, should, false)
}

function formatChange(evaluation: Evaluation, name: string, is: unknown): string {
  const { provider, work, resource } = evaluation
  const next = formatDesiredValue(evaluation, name)
  if (evaluation.resource.hides(name)) return `changed [redacted] to ${next}`
  const special = provider.changeText?.[name]?.(work, is)
  if (special !== undefined) return special
  const should = getDesiredValue(resource, name)
  if (name === 'ensure') {
    if (is === 'absent' || is === undefined) return 'created'
    if (should === 'absent') return 'removed'
  } else {
    if (is === 'absent' || is === undefined) return `defined '${name}' as ${next}`
    // For a list, only the default `absent` is Puppet's symbol `:absent`; `absent` in a manifest is
    // an ordinary string.
    const isText = Array.isArray(should) && resource.given.has(name)
    if (!isText && String(should) === 'absent')
      return `undefined '${name}' from ${formatPropertyValue(evaluation, name, is)}`
  }
  return `${name} changed ${formatPropertyValue(evaluation, name, is)} to ${next}`
}

function createChangeEvent(evaluation: Evaluation, name: string, is: unknown, historical: unknown): MutableEvent {
  const { resource, provider, work, now } = evaluation
  const desired = provider.desiredValues?.[name]
  const hidden = evaluation.resource.hides(name)
  const toEventValue = (given: unknown) => (given === undefined || given === null ? null : hidden ? redacted : given)
  return {
    ...createResourceEvent(getEventName(evaluation, name), 'success', '', formatReportTime(now())),
    property: name,
    previous_value: toEventValue(is),
    desired_value: toEventValue(desired ? desired(work, is) : getDesiredValue(resource, name)),
    historical_value: toEventValue(historical),
    redacted: hidden ? true : null,
  }
}

function getEventName({ provider, resource, work }: Evaluation, name: string): string {
  const known = provider.eventNames?.[name]
  const should = getDesiredValue(resource, name)
  const special = typeof known === 'function' ? known(should, work) : known
  if (special !== undefined) return special
  if (name !== 'ensure') return `${name}_changed`
  const end = should === 'present' ? 'created' : should === 'absent' ? 'removed' : 'changed'
  return `${resource.type.name}_${end}`
}

/** True for a corrective change: the value differs from the value that an earlier run set. */
function isCorrective(evaluation: Evaluation, name: string, is: unknown): boolean {
  const { resource, state } = evaluation
  if (evaluation.resource.hides(name) || resource.type.attributes[name]?.idempotent === false) return false
  const before = state.systemValue(resource.reference, name)
  return before !== undefined && !before.some((each) => isEqualValue(is, each))
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

function listAuditedProperties(resource: AnyResource, seen: PropertyValues): readonly string[] {
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
function toAuditRecord({ resource }: Evaluation, name: string, value: unknown, before: unknown): unknown {
  if (!resource.hides(name) || value === undefined || value === null) return value
  return isAuditHash(before) && matchesRecordedValue(before, value) ? before : hashAuditedValue(value)
}

function captureAudits(
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
