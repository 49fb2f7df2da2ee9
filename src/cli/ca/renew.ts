import { fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { utcText } from '../../base/time/utc-text.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { replaceHostCertificate, saveTrust } from '../../ca/host-files.ts'
import { renewAuthority } from '../../ca/renew-authority.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { nameText } from '../../ca/x509/name.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Command, Invocation } from '../command/command.ts'
import {
  authorityOf,
  certname,
  certnames,
  durationIn,
  forEach,
  namesGiven,
  required,
  settingsOf,
  ttl,
} from './asked.ts'
import { issues } from './issues.ts'

const options = [certname, { flags: '--ca', doc: 'Renew the certificate of the CA.' }, ttl] as const

/** `plumb ca renew` */
export const renew: Command = {
  name: 'renew',
  summary: 'Renew certificates, or the certificate of the CA.',
  usage: certnames,
  description: `Keeps keys and extensions. Expired certificates can be renewed; revoked ones cannot. A host downloads its new
certificate with 'plumb ssl download_cert'; the certificate of this server is replaced in place. With --ca, renews the
certificate of the CA; the certificates that it has signed remain valid. Send SIGHUP to a running server to load the
new certificates.

  plumb ca renew web1.example.com
  plumb ca renew --ca`,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  const authority = await authorityOf(invocation)
  const settings = settingsOf(invocation)
  const seconds = durationIn(invocation.options.ttl) ?? settings.ca_ttl
  if (invocation.options.ca) await renewOwn(invocation, authority, seconds)
  const isOwnOnly = invocation.options.ca && namesGiven(invocation).length === 0
  const names = isOwnOnly ? [] : required(invocation, 'renew')
  return forEach(names, invocation.io, async (name) => {
    const pem = await authority.certificate(name)
    if (pem === undefined) fail(issues.CERTNAME_WITHOUT_CERTIFICATE, { name })
    const certificate = await authority.renew(parseCertificate(pem), { ttl: seconds, evenExpired: true })
    const { hostcert } = settingsOf(invocation, name)
    const here = await replaceHostCertificate(hostcert, certificate, localSystem)
    const saved = here ? `\nSaved it to ${hostcert}; send SIGHUP to a running server to load it` : ''
    return `Renewed certificate for ${name}: serial ${certificate.serial}${saved}`
  })
}

async function renewOwn(
  invocation: Invocation<typeof options>,
  authority: CertificateAuthority,
  ttl: number,
): Promise<void> {
  const settings = settingsOf(invocation)
  const { subject, notAfter } = await renewAuthority(settings.cadir, ttl, localSystem)
  await authority.refreshRevocationList()
  await saveTrust(settings, authority, localSystem)
  const name = printable(nameText(subject))
  invocation.io.out(`Renewed the certificate of the CA '${name}': valid until ${utcText(notAfter)}\n`)
  invocation.io.out('Send SIGHUP to a running server to load it\n')
}
