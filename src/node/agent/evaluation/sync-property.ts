import { PuppetError } from '../../../base/issue.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { ReportEvent } from '../../../model/report.ts'
import { formatLogValue } from '../../resources/value-format.ts'
import type { MutableEvent } from '../report-builder.ts'
import { matchesRecordedValue } from './audit-hashes.ts'
import type { Evaluation } from './evaluation.ts'
import {
  createChangeEvent,
  formatChange,
  formatDesiredValue,
  formatPendingChange,
  formatPropertyValue,
} from './events.ts'

/** Sets one property if it is out of sync. Returns the event; undefined if in sync. */
export async function syncProperty(
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
      event.message = `${formatPendingChange(evaluation, name, is)} (noop)${previously}`
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
  const should = resource.value(name)
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

/** True for a corrective change: the value differs from the value that an earlier run set. */
function isCorrective(evaluation: Evaluation, name: string, is: unknown): boolean {
  const { resource, state } = evaluation
  if (evaluation.resource.hides(name) || resource.type.attributes[name]?.idempotent === false) return false
  const before = state.systemValue(resource.reference, name)
  return before !== undefined && !before.some((each) => isEqualValue(is, each))
}
