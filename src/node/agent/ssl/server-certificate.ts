import type { KeyObject } from 'node:crypto'
import { findCommonName } from '../../../ca/x509/distinguished-name.ts'
import { parsePrivateKey } from '../../../ca/x509/keys.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { type CaContext, createSslContext, type SslContext } from './ssl-context.ts'
import type { SslFiles, SslPaths } from './ssl-files.ts'

/** Size limit of a key, or of a certificate with its chain; a larger file is not copied. */
const maxFileBytes = 64 * 1024

/** Paths of the key and the certificate of the code server on this machine, owned by the server's user. */
export type ServerPaths = Pick<SslPaths, 'hostprivkey' | 'hostcert'>

/** An agent without a key or certificate. */
interface Adopter {
  readonly settings: ServerPaths & Pick<Settings, 'certname'>
  /** Returns the paths of a server on this machine; undefined to copy nothing. */
  readonly server?: (() => ServerPaths) | undefined
  readonly files: SslFiles
  readonly system: System
  log(level: LogLevel, message: string): void
}

/**
 * Copies the key and certificate of the code server on this machine to an agent that has none:
 * agent and server use the same certname, and the CA signs one certificate for a certname. The
 * copies belong to the agent's user. Returns undefined if the server has no certificate for
 * `certname` that `context` trusts, or if the agent uses the server's files.
 */
export async function adoptServerCertificate(context: CaContext, agent: Adopter): Promise<KeyObject | undefined> {
  const { settings, system, files, log } = agent
  const paths = agent.server?.()
  if (paths === undefined || paths.hostprivkey === settings.hostprivkey) return undefined
  const now = new Date(system.now())
  const found = await readCertificatePair(paths, system.files, (certificate, key) =>
    createSslContext(context, certificate, key, now),
  )
  if (found === undefined || findCommonName(found.certificate.subject) !== settings.certname) return undefined
  log('info', `Copying the key and certificate of the server on this machine from ${paths.hostcert}`)
  await files.saveKey(found.key)
  await files.saveCertificate(found.pem)
  return found.key
}

/**
 * Reads the key and certificate. Undefined unless both are readable, match each other and are
 * trusted. A failure is not logged, as its message could quote a file.
 */
async function readCertificatePair(
  { hostprivkey, hostcert }: ServerPaths,
  files: Pick<System['files'], 'readWithin'>,
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
