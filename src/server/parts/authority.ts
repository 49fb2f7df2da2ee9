import { ensureAuthority, openConfiguredAuthority } from '../../ca/authority-settings.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { ensureHostCertificate } from '../../ca/host-files.ts'
import { checkInfraFiles, ensureFolders, hasAuthority } from '../../ca/setup.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { definePart } from './part.ts'
import type { StartParameters } from './start-parameters.ts'

/** The certificate authority; undefined if this host has a certificate of another authority. */
export const authorityPart = definePart('authority', [], async (start) => ({ value: await openAuthority(start) }))

/**
 * Returns the path of the file with the current revocation lists: the authority's own file, if this server is the
 * authority.
 */
export function getRevocationListsFile(
  { cadir, hostcrl }: Pick<Settings, 'cadir' | 'hostcrl'>,
  authority: CertificateAuthority | undefined,
): string {
  return authority ? getCaLayout(cadir).revocationList : hostcrl
}

/** Creates the authority and this host's certificate at the first start. */
async function openAuthority({ settings, system, log, progress }: StartParameters) {
  const enrolled = (await system.files.stat(settings.hostcert)) !== undefined
  if (!(await hasAuthority(settings.cadir, system))) {
    if (enrolled) return undefined
    progress(`Creating a certificate authority in ${settings.cadir}`)
    await ensureAuthority(settings, system)
  }
  await ensureFolders(settings.cadir, system)
  if (settings['enable-infra-crl']) await checkInfraFiles(settings.cadir, system)
  const authority = await openConfiguredAuthority(settings, system, (message) => log.info(message))
  if (!enrolled) progress(`Creating the certificate of ${settings.certname}`)
  await ensureHostCertificate(settings, authority, system)
  return authority
}
