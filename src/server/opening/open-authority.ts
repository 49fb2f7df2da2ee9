import { authorityFrom, ensureAuthority } from '../../ca/from-settings.ts'
import { ensureHostCertificate } from '../../ca/host-files.ts'
import { authorityExists, ensureFolders, requireInfraFiles } from '../../ca/setup.ts'
import type { CodeServerParts } from './server-parts.ts'

/** The authority: ours, if there is one, or if this host has no certificate of another. */
export async function openAuthority({ settings, system, log, progress }: CodeServerParts) {
  const enrolled = (await system.files.stat(settings.hostcert)) !== undefined
  if (!(await authorityExists(settings.cadir, system))) {
    if (enrolled) return undefined
    progress(`Setting up a certificate authority in ${settings.cadir}`)
    await ensureAuthority(settings, system)
  }
  await ensureFolders(settings.cadir, system)
  if (settings['enable-infra-crl']) await requireInfraFiles(settings.cadir, system)
  const authority = await authorityFrom(settings, system, (message) => log.info(message))
  if (!enrolled) progress(`Making the certificate of ${settings.certname}`)
  await ensureHostCertificate(settings, authority, system)
  return authority
}
