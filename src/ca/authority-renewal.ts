import { throwIssue } from '../base/issue.ts'
import type { System } from '../machine/system/system.ts'
import { renewAuthorityCertificate } from './certificate-profile.ts'
import { type KeyAccess, openIssuer } from './issuer.ts'
import { authorityFaults } from './issues.ts'
import type { AuthorityStorage } from './storage/authority-storage.ts'
import { type Certificate, parseCertificates, toCertificatePem } from './x509/certificate.ts'
import { isRootCertificate } from './x509/chain.ts'
import { formatDistinguishedName } from './x509/distinguished-name.ts'

/**
 * Issues a new certificate for the key of a self-signed CA. Certificates that the CA has signed
 * stay valid, and hosts can replace the old CA certificate with the new one. `ttl` is in seconds.
 * Throws CA_NOT_ROOT, or errors in the CA's storage.
 */
export function renewAuthority(
  storage: AuthorityStorage,
  access: KeyAccess,
  ttl: number,
  { now }: Pick<System, 'now'>,
): Promise<Certificate> {
  return storage.change(async (records) => {
    const { certificate: old, signer } = await openIssuer(records, access)
    if (!isRootCertificate(old))
      throwIssue(authorityFaults.CA_NOT_ROOT, {
        subject: formatDistinguishedName(old.subject),
        issuer: formatDistinguishedName(old.issuer),
        file: records.certificates.place,
      })
    const [, ...others] = parseCertificates((await records.certificates.read())?.pem ?? '')
    const certificate = await renewAuthorityCertificate({ certificate: old, signer }, ttl, new Date(now()))
    await records.certificates.write([certificate, ...others].map(toCertificatePem).join(''))
    return certificate
  })
}
