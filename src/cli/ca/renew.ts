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

const options = [certname, { flags: '--ca', doc: "The authority's own certificate." }, ttl] as const

/** `plumb ca renew` */
export const renew: Command = {
  name: 'renew',
  summary: "Signs certificates anew, or the authority's own.",
  usage: certnames,
  description: `Keys and extensions stay. What has expired is renewed, too, and what is revoked never is. A host fetches its new
certificate with 'plumb ssl download_cert'; the server's own is put in its place. With --ca it is the certificate of the
authority itself: all that it has signed stays good. A running server takes what is new when it gets SIGHUP.

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
    const saved = here ? `\nSaved it to ${hostcert}; a running server takes it when it gets SIGHUP` : ''
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
  invocation.io.out(`Renewed the certificate of the authority '${name}': good until ${utcText(notAfter)}\n`)
  invocation.io.out('A running server takes it when it gets SIGHUP\n')
}
