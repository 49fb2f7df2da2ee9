import type { KeyObject } from 'node:crypto'
import type { LogLevel } from '../../language/host.ts'
import type { Files } from '../../system/system.ts'
import { parsePrivateKey } from '../../x509/keys.ts'
import { commonNameOf } from '../../x509/name.ts'
import { type CaContext, type SslContext, sslContext } from './ssl-context.ts'
import type { SslFiles, SslPaths } from './ssl-files.ts'

/** Larger files of the server are neither a key nor a certificate with its chain. */
const maxFileBytes = 64 * 1024

/** The key and the certificate of the code server on this machine, whose owner is the server's user. */
export type ServerPaths = Pick<SslPaths, 'hostprivkey' | 'hostcert'>

/** The agent's certname, files and voice, and the moment at which the certificate has to be valid. */
interface Adopter {
  readonly certname: string
  readonly own: SslFiles
  readonly files: Pick<Files, 'readWithin'>
  readonly now: Date
  log(level: LogLevel, message: string): void
}

/**
 * Copies the key and certificate of the code server on the same machine to an agent that has none: both have one certname,
 * for which the CA signs one certificate. The copies belong to the agent's user. Returns undefined if the server has no
 * certificate for `certname` that `context` trusts.
 */
export async function adoptServerCertificate(
  paths: ServerPaths,
  context: CaContext,
  { certname, own, files, now, log }: Adopter,
): Promise<KeyObject | undefined> {
  const found = await readPair(paths, files, (certificate, key) => sslContext(context, certificate, key, now))
  if (found === undefined || commonNameOf(found.certificate.subject) !== certname) return undefined
  log('info', `Copying the key and certificate of the server on this machine from ${paths.hostcert}`)
  await own.saveKey(found.key)
  await own.saveCertificate(found.pem)
  return found.key
}

/** The key and certificate, if both can be read, belong together and are trusted. The reason is not logged: it could quote a file. */
async function readPair(
  { hostprivkey, hostcert }: ServerPaths,
  files: Adopter['files'],
  verify: (certificate: string, key: KeyObject) => Pick<SslContext, 'certificate'>,
) {
  try {
    const [keyPem, pem] = [
      await files.readWithin(hostprivkey, maxFileBytes),
      await files.readWithin(hostcert, maxFileBytes),
    ]
    if (keyPem === undefined || pem === undefined) return undefined
    const key = parsePrivateKey(keyPem.toString())
    return { key, pem: pem.toString(), certificate: verify(pem.toString(), key).certificate }
  } catch {
    return undefined
  }
}
