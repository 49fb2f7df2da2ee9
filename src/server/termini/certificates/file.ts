import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { isCertname } from '../../../machine/settings/certname.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { CertificateLookup, CertificateServices, PemDocument, RevocationListRequest } from './index.ts'

/** Certificates in files of this server: `localcacert` for the key `ca`, otherwise a file in `certdir`. */
export const certificate: TerminusDefinition<PemDocument, CertificateServices, CertificateLookup> = {
  doc: 'The files of this server: localcacert for the CA, and certdir.',
  create: (services) => ({
    find: async ({ key }) => {
      if (key === 'ca') return readDocument(services.settings.localcacert, services)
      return isCertname(key) ? readDocument(join(services.settings.certdir, `${key}.pem`), services) : undefined
    },
  }),
}

/** The revocation lists with which this server checks clients. */
export const certificateRevocationList: TerminusDefinition<PemDocument, CertificateServices, RevocationListRequest> = {
  doc: 'The file hostcrl of this server.',
  create: (services) => ({
    find: async ({ key }) => (key === 'ca' ? readDocument(services.settings.hostcrl, services) : undefined),
  }),
}

async function readDocument(path: string, { files }: CertificateServices): Promise<PemDocument | undefined> {
  const bytes = await files.readWithin(path, budgets.request.revocationLists.bound)
  const stat = bytes && (await files.stat(path))
  return stat && { pem: bytes.toString('utf8'), modified: stat.kind === 'link' ? undefined : new Date(stat.modified) }
}
