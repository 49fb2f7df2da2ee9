import { isCatalogIssue, throwIssue } from '../../base/issue.ts'
import { ensureAuthority, hasSignerCommand, openStoredAuthority } from '../../ca/authority-settings.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { createTrustFileUpdate, ensureHostCertificate } from '../../ca/host-files.ts'
import { authorityFaults, authorityOutages } from '../../ca/issues.ts'
import { checkInfraFiles } from '../../ca/setup.ts'
import { ensureFolders } from '../../ca/storage/authority-folder.ts'
import type { AuthorityStorage } from '../../ca/storage/authority-storage.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { openConfiguredStorage } from '../../store/authority/configured-authority.ts'
import { definePart } from './part.ts'
import type { StartParameters } from './start-parameters.ts'

/** The certificate authority; undefined if this host has a certificate of another authority. */
export const authorityPart = definePart('authority', [], async (start) => {
  const storage = await openConfiguredStorage(start.settings, start.system, (message) => start.log.error(message))
  try {
    return { value: await openAuthority(start, storage), close: () => storage.close() }
  } catch (error) {
    await storage.close()
    throw error
  }
})

/** Milliseconds between two queries for changes; a revocation by another server takes effect within this time. */
const everyMs = 2000

/** Keeps the server's copies of the CA certificates and revocation lists current, if several servers share the CA. */
export const trustCopiesPart = definePart('trustCopies', [authorityPart], ({ settings, authority, system, log }) => {
  if (!authority || settings.ca_store === 'cadir') return {}
  const update = createTrustFileUpdate(settings, authority, system)
  let trouble: string | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      await update()
      trouble = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== trouble) log.error({ err: error }, 'Could not update the copy of the revocation lists')
      trouble = message
    }
  }
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined))
  }, everyMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
})

/**
 * Returns the path of the file with the current revocation lists: the authority's own file, if this server is the
 * authority.
 */
export function getRevocationListsFile(
  { cadir, ca_store: store, hostcrl }: Pick<Settings, 'cadir' | 'ca_store' | 'hostcrl'>,
  authority: CertificateAuthority | undefined,
): string {
  return authority && store === 'cadir' ? getCaLayout(cadir).revocationList : hostcrl
}

/** Creates the authority and this host's certificate at the first start. */
async function openAuthority({ settings, system, log, progress }: StartParameters, storage: AuthorityStorage) {
  const { cadir, ca_store: store } = settings
  const enrolled = (await system.files.stat(settings.hostcert)) !== undefined
  if (!(await hasAuthority(storage, enrolled))) {
    if (enrolled && store === 'cadir') return undefined
    if (enrolled) throwIssue(authorityFaults.CA_ABSENT, { place: storage.place })
    progress(`Creating a certificate authority in ${storage.place}`)
    await ensureAuthority(settings, storage, system)
  }
  if (store === 'cadir') await ensureFolders(cadir, system)
  if (settings['enable-infra-crl'] && store === 'cadir')
    await checkInfraFiles(cadir, system, hasSignerCommand(settings))
  const authority = await openStoredAuthority(settings, storage, system, (message) => log.info(message))
  if (!enrolled) progress(`Creating the certificate of ${settings.certname}`)
  await ensureHostCertificate(settings, authority, system)
  return authority
}

/** Returns true if there is a CA. A server with a certificate starts during an outage of the database. */
async function hasAuthority(storage: AuthorityStorage, enrolled: boolean): Promise<boolean> {
  try {
    return await storage.exists()
  } catch (error) {
    if (enrolled && isCatalogIssue(error, authorityOutages)) return true
    throw error
  }
}
