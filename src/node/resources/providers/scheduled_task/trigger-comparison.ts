import { isDeepStrictEqual } from 'node:util'
import { canonicalizeTrigger, type DeclaredTrigger, type Trigger } from '../../types/scheduled-task/trigger.ts'
import type { WindowsAccount } from '../windows/account-names.ts'
import type { PresentTrigger } from './trigger-xml.ts'

/** The task whose triggers are compared. */
interface Comparison {
  readonly accounts: ReadonlyMap<string, WindowsAccount>
  /** Declared level of compatibility. */
  readonly compatibility: number
}

/** True if each present trigger is declared, and each declared trigger is present. */
export function areTriggersInSync(
  present: readonly PresentTrigger[],
  declared: readonly DeclaredTrigger[],
  comparison: Comparison,
): boolean {
  const wanted = declared.map(canonicalizeTrigger)
  return (
    present.length === wanted.length &&
    present.every((each) => wanted.some((other) => isSameTrigger(each, other, comparison))) &&
    wanted.every((each) => present.some((other) => isSameTrigger(other, each, comparison)))
  )
}

/**
 * True if a present trigger has all values of a desired one that Windows can store. A disabled trigger is never the same. In
 * the module, the order of days and months counts, and so do keys that Windows does not store for this kind of trigger: such
 * triggers change in each run there.
 */
export function isSameTrigger(present: PresentTrigger, wanted: Trigger, comparison: Comparison): boolean {
  if (!present.enabled) return false
  return Object.entries(wanted).every(([key, value]) => {
    if (!isStored(key as keyof Trigger, wanted, comparison)) return true
    const current = present[key as keyof Trigger]
    if (key === 'user_id') return isSameUser(String(current ?? ''), String(value), comparison)
    if (key === 'disable_time_zone_synchronization') return current === (value === true)
    if (Array.isArray(value)) return isDeepStrictEqual(new Set(value), new Set(current as unknown[]))
    return current === value || (current === undefined && value === '')
  })
}

/** True if Windows stores a key for the kind of a trigger. */
function isStored(key: keyof Trigger, trigger: Trigger, { compatibility }: Comparison): boolean {
  const { schedule } = trigger
  const isEvent = schedule === 'boot' || schedule === 'logon'
  switch (key) {
    case 'every':
      return schedule === 'daily' || schedule === 'weekly'
    case 'day_of_week':
      return schedule === 'weekly' || schedule === 'monthly'
    case 'months':
    case 'on':
    case 'which_occurrence':
      return schedule === 'monthly'
    case 'user_id':
      return schedule === 'logon'
    case 'random_delay':
      return !isEvent && compatibility >= 2
    case 'delay':
      return isEvent && compatibility >= 2
    case 'disable_time_zone_synchronization':
      // The zone belongs to the time of the start.
      return trigger.start_date !== undefined || trigger.start_time !== undefined
    default:
      return true
  }
}

function isSameUser(present: string, wanted: string, { accounts }: Comparison): boolean {
  const getKey = (name: string) => accounts.get(name)?.sid ?? name.toLowerCase()
  return getKey(present) === getKey(wanted)
}
