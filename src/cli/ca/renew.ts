import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatUtcDate } from '../../base/time/utc-text.ts'
import { renewAuthority } from '../../ca/authority-renewal.ts'
import { getKeyAccess } from '../../ca/authority-settings.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { replaceHostCertificate, updateTrustFiles } from '../../ca/host-files.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { formatDistinguishedName } from '../../ca/x509/distinguished-name.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { openConfiguredStorage } from '../../store/authority/configured-authority.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import {
  certnameArguments,
  certnameOption,
  forEachName,
  listGivenCertnames,
  loadCaSettings,
  openCommandAuthority,
  parseDuration,
  requireCertnames,
  ttlOption,
} from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [certnameOption, { flags: '--ca', doc: 'Renew the certificate of the CA.' }, ttlOption] as const

/** The command `plumb ca renew`. */
export const renew: CliCommand = {
  name: 'renew',
  summary: 'Renew certificates, or the certificate of the CA.',
  usage: certnameArguments,
  description: `Keeps keys and extensions. Expired certificates can be renewed, but revoked certificates cannot. A host downloads its
new certificate with 'plumb ssl download_cert'; the certificate of this server is replaced in place. With --ca, renews
the certificate of the CA; the certificates that it has signed remain valid. Send SIGHUP to a running server to load the
new certificates.

  plumb ca renew web1.example.com
  plumb ca renew --ca`,
  options,
  run: runCaRenew,
}

async function runCaRenew(invocation: CommandInvocation<typeof options>): Promise<number> {
  const authority = await openCommandAuthority(invocation)
  const settings = loadCaSettings(invocation)
  const seconds = parseDuration(invocation.options.ttl) ?? settings.ca_ttl
  if (invocation.options.ca) await renewOwnCertificate(invocation, authority, seconds)
  const isOwnOnly = invocation.options.ca && listGivenCertnames(invocation).length === 0
  const names = isOwnOnly ? [] : requireCertnames(invocation, 'renew')
  return forEachName(names, invocation.io, async (name) => {
    const pem = await authority.certificate(name)
    if (pem === undefined) throwIssue(caIssues.CERTNAME_WITHOUT_CERTIFICATE, { name })
    const certificate = await authority.renew(parseCertificate(pem), { ttl: seconds, evenExpired: true })
    const { hostcert } = loadCaSettings(invocation, name)
    const here = await replaceHostCertificate(hostcert, certificate, localSystem)
    const saved = here ? `\nSaved it to ${hostcert}; send SIGHUP to a running server to load it` : ''
    return `Renewed certificate for ${name}: serial ${certificate.serial}${saved}`
  })
}

async function renewOwnCertificate(
  invocation: CommandInvocation<typeof options>,
  authority: CertificateAuthority,
  ttl: number,
): Promise<void> {
  const settings = loadCaSettings(invocation)
  const { subject, notAfter } = await renewAuthority(
    await openConfiguredStorage(settings, localSystem),
    getKeyAccess(settings, localSystem),
    ttl,
    localSystem,
  )
  await authority.refreshRevocationList()
  await updateTrustFiles(settings, authority, localSystem)
  const name = toPrintable(formatDistinguishedName(subject))
  invocation.io.out(`Renewed the certificate of the CA '${name}': valid until ${formatUtcDate(notAfter)}\n`)
  invocation.io.out('Send SIGHUP to a running server to load it\n')
}
