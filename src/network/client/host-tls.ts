import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import type { TlsContext } from './tls.ts'

/** Settings with the paths of the files for a host's identity and its trusted CAs. */
export type HostTlsSettings = Pick<
  Settings,
  'hostcert' | 'hostprivkey' | 'hostcrl' | 'localcacert' | 'certificate_revocation'
>

/**
 * Reads a host's identity and its trusted CAs. The files are read at each call, so that a renewed certificate is used
 * at once.
 */
export async function readHostTls(
  { localcacert, hostcert, hostprivkey, hostcrl, certificate_revocation }: HostTlsSettings,
  files: Pick<Files, 'readText'>,
): Promise<TlsContext> {
  const [ca = '', cert, key] = await Promise.all(
    [localcacert, hostcert, hostprivkey].map((each) => files.readText(each)),
  )
  const crl = certificate_revocation === 'false' ? undefined : await files.readText(hostcrl)
  return {
    ca,
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(crl !== undefined && { crl, revocation: certificate_revocation === 'leaf' ? 'leaf' : 'chain' }),
  }
}
