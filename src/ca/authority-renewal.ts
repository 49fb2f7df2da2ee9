import { throwIssue } from '../base/issue.ts'
import { FileLock } from '../machine/system/file-lock.ts'
import type { System } from '../machine/system/system.ts'
import { renewAuthorityCertificate } from './certificate-profile.ts'
import { getCaLayout } from './file-layout.ts'
import { authorityFaults } from './issues.ts'
import { type Certificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { isRootCertificate } from './x509/chain.ts'
import { formatDistinguishedName } from './x509/distinguished-name.ts'
import { isSameKeyPair, parsePrivateKey } from './x509/keys.ts'

/**
 * Issues a new certificate for the key of a self-signed CA. Certificates that the CA has signed
 * stay valid, and hosts can replace the old CA certificate with the new one. `ttl` is in seconds.
 * Throws CA_NOT_ROOT, or errors in the CA's files.
 */
export async function renewAuthority(
  cadir: string,
  ttl: number,
  { files, now }: Pick<System, 'files' | 'now'>,
): Promise<Certificate> {
  const layout = getCaLayout(cadir)
  const read = async (file: string) => (await files.readText(file)) ?? throwIssue(authorityFaults.CA_MISSING, { file })
  const key = parsePrivateKey(await read(layout.key))
  return new FileLock(layout.lock).run(async () => {
    const [old, ...others] = parseCertificates(await read(layout.certificate))
    if (!isSameKeyPair(old!.publicKey, key)) throwIssue(authorityFaults.CA_KEY_MISMATCH, {})
    if (!isRootCertificate(old!))
      throwIssue(authorityFaults.CA_NOT_ROOT, {
        subject: formatDistinguishedName(old!.subject),
        issuer: formatDistinguishedName(old!.issuer),
        file: layout.certificate,
      })
    const certificate = renewAuthorityCertificate(old!, key, ttl, new Date(now()))
    await files.write(layout.certificate, [certificate, ...others].map(toCertificatePem).join(''), 0o644)
    return certificate
  })
}
