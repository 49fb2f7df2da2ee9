import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import type { TlsContext } from './tls.ts'

/** The settings that name the files of a host's identity, and of whom it trusts. */
export type HostTlsSettings = Pick<
  Settings,
  'hostcert' | 'hostprivkey' | 'hostcrl' | 'localcacert' | 'certificate_revocation'
>

/** A host's identity, and whom it trusts, as the files are now: a certificate that was renewed is the one that is shown. */
export async function hostTls(
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
