import { isDeepStrictEqual } from 'node:util'
import { canonicalizeTrigger, type DeclaredTrigger, type Trigger } from '../../types/scheduled-task/trigger.ts'
import type { WindowsAccount } from '../windows/account-names.ts'
import type { PresentTrigger } from './trigger-xml.ts'

type Accounts = ReadonlyMap<string, WindowsAccount>

/** True if each present trigger is declared, and each declared trigger is present. */
export function areTriggersInSync(
  present: readonly PresentTrigger[],
  declared: readonly DeclaredTrigger[],
  accounts: Accounts,
): boolean {
  const wanted = declared.map(canonicalizeTrigger)
  return (
    present.length === wanted.length &&
    present.every((each) => wanted.some((other) => isSameTrigger(each, other, accounts))) &&
    wanted.every((each) => present.some((other) => isSameTrigger(other, each, accounts)))
  )
}

/**
 * True if a present trigger has all values of a desired one. A disabled trigger is never the same. In the module, the order
 * of days and months counts, so that `['wed', 'mon']` never comes in sync; here it does not.
 */
export function isSameTrigger(present: PresentTrigger, wanted: Trigger, accounts: Accounts): boolean {
  if (!present.enabled) return false
  return Object.entries(wanted).every(([key, value]) => {
    const current = present[key as keyof Trigger]
    if (key === 'user_id') return isSameUser(String(current ?? ''), String(value), accounts)
    if (Array.isArray(value)) return isDeepStrictEqual(new Set(value), new Set(current as unknown[]))
    return current === value || (current === undefined && value === '')
  })
}

function isSameUser(present: string, wanted: string, accounts: Accounts): boolean {
  const getKey = (name: string) => accounts.get(name)?.sid ?? name.toLowerCase()
  return getKey(present) === getKey(wanted)
}
