import type { System } from '../../../../machine/system/system.ts'
import { accountSids } from '../../../../machine/windows/access-control.ts'
import { failWithMessage } from '../../issues.ts'
import { askPowerShell, buildRequestScript } from './power-shell.ts'

/** An account of Windows. */
export interface WindowsAccount {
  readonly sid: string
  /** The name with its domain, such as `VM\bob`; `SYSTEM` without. */
  readonly name: string
}

const systemAccount: WindowsAccount = { sid: accountSids.system, name: 'SYSTEM' }

/** Names of the system's account in any language of Windows, in lower case. */
const systemNames = ['system', String.raw`nt authority\system`, 's-1-5-18']

/**
 * A part of a script that finds the account of `$name`, a name or SID: `$answer` gets its SID, and its full name if the account
 * exists. Throws an exception for an unknown name.
 */
export const accountSearch = `
      if ($name -match '^S-1-[-0-9]+$') { $sid = New-Object Security.Principal.SecurityIdentifier($name) }
      else { $sid = (New-Object Security.Principal.NTAccount($name)).Translate([Security.Principal.SecurityIdentifier]) }
      $answer.sid = $sid.Value
      try { $answer.name = $sid.Translate([Security.Principal.NTAccount]).Value } catch { }`

const script = buildRequestScript(`$name = $request.account; try { ${accountSearch} } catch { }`)

/**
 * Looks up accounts by name or SID, in any notation and case. The table has the given names, the full names and the SIDs;
 * unknown accounts are missing. PowerShell runs at most once, and not at all for the account SYSTEM.
 */
export async function findAccounts(
  system: System,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, WindowsAccount>> {
  const found = new Map<string, WindowsAccount>()
  const add = (name: string, account: WindowsAccount) => {
    for (const key of [name, account.name, account.sid]) found.set(key, account)
  }
  const others: string[] = []
  for (const name of new Set(names)) {
    if (systemNames.includes(name.toLowerCase())) add(name, systemAccount)
    else if (name !== '' && !/[\0-\x1f]/.test(name)) others.push(name)
  }
  if (others.length === 0) return found
  const responses = await askPowerShell(
    system,
    script,
    others.map((account) => ({ account })),
  )
  for (const [index, name] of others.entries()) {
    const { sid, name: full, error } = responses[index] ?? {}
    if (error !== undefined) failWithMessage(`Could not look up accounts: ${String(error).trim()}`)
    if (typeof sid === 'string')
      add(name, sid === systemAccount.sid ? systemAccount : { sid, name: typeof full === 'string' ? full : sid })
  }
  return found
}
