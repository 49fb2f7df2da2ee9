import { fail } from '../base/issue.ts'
import { FileLock } from '../machine/system/file-lock.ts'
import type { System } from '../machine/system/system.ts'
import { troubles } from './issues.ts'
import { caLayout } from './layout.ts'
import { renewedAuthority } from './profile.ts'
import { type Certificate, certificatePem, parseCertificates } from './x509/certificate.ts'
import { isRoot } from './x509/chain.ts'
import { isSamePair, parsePrivateKey } from './x509/keys.ts'
import { nameText } from './x509/name.ts'

/**
 * Gives a self-signed CA a new certificate for its key. The certificates it has signed stay valid,
 * and its old certificate can be replaced everywhere. `ttl` is in seconds. Throws CA_NOT_ROOT, or
 * errors in the CA's files.
 */
export async function renewAuthority(
  cadir: string,
  ttl: number,
  { files, now }: Pick<System, 'files' | 'now'>,
): Promise<Certificate> {
  const layout = caLayout(cadir)
  const read = async (file: string) => (await files.readText(file)) ?? fail(troubles.CA_MISSING, { file })
  const key = parsePrivateKey(await read(layout.key))
  return new FileLock(layout.lock).run(async () => {
    const [old, ...others] = parseCertificates(await read(layout.certificate))
    if (!isSamePair(old!.publicKey, key)) fail(troubles.CA_KEY_MISMATCH, {})
    if (!isRoot(old!))
      fail(troubles.CA_NOT_ROOT, {
        subject: nameText(old!.subject),
        issuer: nameText(old!.issuer),
        file: layout.certificate,
      })
    const certificate = renewedAuthority(old!, key, ttl, new Date(now()))
    await files.write(layout.certificate, [certificate, ...others].map(certificatePem).join(''), 0o644)
    return certificate
  })
}
