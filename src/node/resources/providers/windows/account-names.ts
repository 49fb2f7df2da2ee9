import type { System } from '../../../../machine/system/system.ts'
import { runPowerShell } from './power-shell.ts'

/** An account of Windows. */
export interface WindowsAccount {
  readonly sid: string
  /** The name with its domain, such as `VM\bob`; `SYSTEM` without. */
  readonly name: string
}

const systemAccount: WindowsAccount = { sid: 'S-1-5-18', name: 'SYSTEM' }

/** Names of the system's account in any language of Windows, in lower case. */
const systemNames = ['system', String.raw`nt authority\system`, 's-1-5-18']

/** One line for each name: its SID, a tab and its full name, or nothing. */
const script = [
  '$v.names -split "\\n" | ForEach-Object { $a = $_; $s = ""; $n = ""',
  'try { if ($a -match "^S-1-[-0-9]+$") { $s = New-Object Security.Principal.SecurityIdentifier $a } else { $s = (New-Object Security.Principal.NTAccount $a).Translate([Security.Principal.SecurityIdentifier]) }',
  '$n = $s.Value',
  '$n = $s.Translate([Security.Principal.NTAccount]).Value } catch { }',
  '"=" + $s + "`t" + $n }',
].join('; ')

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
  const lines = await runPowerShell(system, 'look up accounts', script, { names: others.join('\n') })
  const answers = lines.filter((line) => line.startsWith('='))
  for (const [index, name] of others.entries()) {
    const [sid = '', full = ''] = answers[index]?.slice(1).split('\t') ?? []
    if (sid !== '') add(name, sid === systemAccount.sid ? systemAccount : { sid, name: full || sid })
  }
  return found
}
