import { type CaSettings, hasSignerCommand, openStoredAuthority } from '../../ca/authority-settings.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { openAuthorityFolder } from '../../ca/storage/authority-folder.ts'
import type { AuthorityStorage } from '../../ca/storage/authority-storage.ts'
import { type TrustFiles, withTrustCopies } from '../../ca/storage/trust-copies.ts'
import type { System } from '../../machine/system/system.ts'

/** Opens the storage of the CA that `ca_store` names. `report` receives texts about a database that is not accepted. */
export async function openConfiguredStorage(
  settings: Pick<CaSettings, 'cadir' | 'ca_store' | 'ca_signer'> & TrustFiles,
  system: Pick<System, 'files' | 'now'>,
  report?: (message: string) => void,
): Promise<AuthorityStorage> {
  const { cadir, ca_store: store } = settings
  if (store === 'cadir') return openAuthorityFolder(cadir, system, { isKeyless: hasSignerCommand(settings) })
  // Loaded only for a CA in a database: the driver and the query builder delay the start of commands.
  const { openAuthorityDatabase } = await import('./authority-database.ts')
  return withTrustCopies(await openAuthorityDatabase(store), settings, system.files, report)
}

/** Opens the CA configured by the settings. Throws CA_MISSING, CA_ABSENT if the CA was never set up. */
export async function openConfiguredAuthority(
  settings: CaSettings & TrustFiles,
  system: System,
  log?: (message: string) => void,
): Promise<CertificateAuthority> {
  return openStoredAuthority(settings, await openConfiguredStorage(settings, system), system, log)
}
