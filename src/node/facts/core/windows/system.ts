import { defineFacts } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { createUptimeFacts, facterVersion, readBundleVersion, readSshKeys, uptimeNames } from '../system.ts'
import { getVariable } from './environment.ts'
import { readInventory } from './inventory.ts'
import { readRegistryKey } from './registry.ts'

/** The current user, and true for an administrator. */
export const identityFacts = defineFacts(['identity.user', 'identity.privileged'], async (machine) => ({
  'identity.user': (await readInventory(machine))?.user ?? getUserName(machine),
  'identity.privileged': machine.windows?.().isPrivileged,
}))

/** The user without PowerShell. The environment of a service contains the name of the machine in place of the user. */
function getUserName(machine: Machine): string | undefined {
  const name = machine.windows?.().userName
  if (name === 'SYSTEM') return String.raw`NT AUTHORITY\SYSTEM`
  const domain = getVariable(machine, 'USERDOMAIN')
  return name === undefined || domain === undefined ? name : `${domain}\\${name}`
}

/** Time since boot. */
export const uptime = defineFacts(uptimeNames, async ({ windows }) => {
  const seconds = windows?.().uptime
  return seconds === undefined ? {} : createUptimeFacts(Math.floor(seconds))
})

/** Public host keys of OpenSSH, which only administrators can read. */
export const ssh = defineFacts(['ssh'], async (machine) => {
  const data = getVariable(machine, 'ProgramData')
  const canRead = machine.windows?.().isPrivileged === true
  return { ssh: canRead && data !== undefined ? await readSshKeys(machine, [`${data}/ssh`]) : undefined }
})

/** Miscellaneous facts: versions, time zone, search path and FIPS mode. */
export const miscellany = defineFacts(
  ['facterversion', 'timezone', 'path', 'fips_enabled', 'aio_agent_version'],
  async (machine) => {
    const [inventory, policy] = await Promise.all([
      readInventory(machine),
      readRegistryKey(machine, String.raw`SYSTEM\CurrentControlSet\Control\Lsa\FipsAlgorithmPolicy`),
    ])
    const programs = getVariable(machine, 'ProgramFiles')
    return {
      facterversion: facterVersion,
      timezone: inventory?.timezone ?? (await readTimezone(machine)),
      path: getVariable(machine, 'PATH'),
      fips_enabled: Number(policy['enabled'] ?? 0) !== 0,
      aio_agent_version: await readBundleVersion(machine, `${programs}/Puppet Labs/Puppet/VERSION`),
    }
  },
)

/** The time zone without PowerShell, in English: `Central Standard Time`, in summer `Central Daylight Time`. */
async function readTimezone(machine: Machine): Promise<string | undefined> {
  const values = await readRegistryKey(machine, String.raw`SYSTEM\CurrentControlSet\Control\TimeZoneInformation`)
  const name = values['timezonekeyname'] || undefined
  const isSummer = values['activetimebias'] !== values['bias']
  return isSummer ? name?.replace(/Standard Time$/, 'Daylight Time') : name
}
