import { redacted } from '../../resources/secrets.ts'
import { formatLogValue } from '../../resources/value-format.ts'
import { createResourceEvent } from '../event-queue.ts'
import { formatReportTime } from '../log.ts'
import type { MutableEvent } from '../report-builder.ts'
import type { Evaluation } from './evaluation.ts'

/** Creates the event of a changed property. */
export function createChangeEvent(
  evaluation: Evaluation,
  name: string,
  is: unknown,
  historical: unknown,
): MutableEvent {
  const { resource, provider, work, now } = evaluation
  const desired = provider.desiredValues?.[name]
  const hidden = evaluation.resource.hides(name)
  const toEventValue = (given: unknown) => (given === undefined || given === null ? null : hidden ? redacted : given)
  return {
    ...createResourceEvent(getEventName(evaluation, name), 'success', '', formatReportTime(now())),
    property: name,
    previous_value: toEventValue(is),
    desired_value: toEventValue(desired ? desired(work, is) : resource.value(name)),
    historical_value: toEventValue(historical),
    redacted: hidden ? true : null,
  }
}

function getEventName({ provider, resource, work }: Evaluation, name: string): string {
  const known = provider.eventNames?.[name]
  const should = resource.value(name)
  const special = typeof known === 'function' ? known(should, work) : known
  if (special !== undefined) return special
  if (name !== 'ensure') return `${name}_changed`
  const end = should === 'present' ? 'created' : should === 'absent' ? 'removed' : 'changed'
  return `${resource.type.name}_${end}`
}

/** Formats a value of a property for messages; `[redacted]` for a sensitive one. */
export function formatPropertyValue(
  { provider, resource, work }: Evaluation,
  name: string,
  value: unknown,
  isPresent = true,
): string {
  if (resource.hides(name)) return redacted
  const special = isPresent ? resource.type.attributes[name]?.show?.(value) : undefined
  return special ?? provider.show?.[name]?.(work, value, !isPresent) ?? formatLogValue(value)
}

/** Formats the desired value of a property for messages. */
export function formatDesiredValue(evaluation: Evaluation, name: string): string {
  const { resource } = evaluation
  const should = resource.value(name)
  const show = resource.type.attributes[name]?.showWanted
  return show && !resource.hides(name) ? show(should) : formatPropertyValue(evaluation, name, should, false)
}

/**
 * Formats a change that a noop run does not make: as the change in Puppet 8, with the present and desired value in Puppet 7
 * and for a sensitive property. Puppet: transaction/resource_harness.rb, `noop`.
 */
export function formatPendingChange(evaluation: Evaluation, name: string, is: unknown): string {
  const { resource, work } = evaluation
  if (work.settings.compatibility !== 'puppet7' && !resource.hides(name)) return formatChange(evaluation, name, is)
  const [old, next] = [formatPropertyValue(evaluation, name, is), formatDesiredValue(evaluation, name)]
  return `current_value ${old}, should be ${next}`
}

/** Formats the message of a change: `created`, `mode changed '0644' to '0600'`. Puppet: property.rb, `change_to_s`. */
export function formatChange(evaluation: Evaluation, name: string, is: unknown): string {
  const { provider, work, resource } = evaluation
  const next = formatDesiredValue(evaluation, name)
  if (evaluation.resource.hides(name)) return `changed [redacted] to ${next}`
  const special = provider.changeText?.[name]?.(work, is)
  if (special !== undefined) return special
  const should = resource.value(name)
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
