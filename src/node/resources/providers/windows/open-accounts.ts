import { powershell } from '../../../../machine/windows/power-shell.ts'
import type { CatalogView, ProviderServices } from '../../provider.ts'
import type { Accounts } from './accounts.ts'
import { DirectoryAccounts } from './directory-accounts.ts'
import { NetAccounts } from './net-accounts.ts'

const accountsOfRuns = new WeakMap<CatalogView, Accounts>()

/** The accounts of an agent run, read by PowerShell where Windows has it; `net.exe` cannot read long names and SIDs. */
export async function openAccounts(services: ProviderServices): Promise<Accounts> {
  const { catalog, system, facts } = services
  const known = accountsOfRuns.get(catalog)
  if (known) return known
  const hasPowerShell = (await system.files.stat(powershell)) !== undefined
  const accounts = hasPowerShell ? new DirectoryAccounts(services) : new NetAccounts(system, facts)
  accountsOfRuns.set(catalog, accounts)
  return accounts
}

/** Names of accounts for messages, as the accounts of this run that were opened before print them. */
export function formatAccounts({ catalog }: Pick<ProviderServices, 'catalog'>, names: unknown): string {
  const accounts = accountsOfRuns.get(catalog)
  const list = Array.isArray(names) ? names.map(String) : []
  return list.map((name) => accounts?.format(name) ?? name).join(',')
}
