import type { CertificateAuthority } from '../../../src/ca/certificate-authority.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { type CertificateTermini, openCertificateTermini } from '../../../src/server/ca-v1/certificate-termini.ts'

/** The indirections of certificates of a server with an authority, as they are without a routes.yaml. */
export function terminiOf(authority: CertificateAuthority): CertificateTermini {
  const settings = loadSettings({ given: { confdir: '/nonexistent' } })
  return openCertificateTermini({ authority, settings, files: localFiles, routes: {} })
}
