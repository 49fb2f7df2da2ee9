import { fail } from '../../../base/issue.ts'
import type { CertificateAuthority } from '../../../ca/certificate-authority.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type {
  CertificateRequest,
  CertificateServices,
  PemDocument,
  RevocationListRequest,
  SigningRequest,
} from './index.ts'
import { certificateIssues } from './issues.ts'

/** Certificates of this server's authority. */
export const certificate: TerminusDefinition<PemDocument, CertificateServices, CertificateRequest> = {
  doc: 'The authority of this server.',
  create: (services) => {
    const authority = authorityOf('certificate', services)
    return {
      async find({ key }) {
        if (key === 'ca') return authority.certificates()
        const pem = await authority.certificate(key)
        return pem === undefined ? undefined : { pem, modified: undefined }
      },
    }
  },
}

/** Certificate requests for this server's authority. */
export const certificateRequest: TerminusDefinition<string, CertificateServices, SigningRequest> = {
  doc: 'The authority of this server, which signs by autosign or leaves it to wait.',
  create: (services) => {
    const authority = authorityOf('certificate_request', services)
    return {
      find: ({ key }) => authority.request(key),
      save: (pem, { key, from }) => authority.submit(key, pem, from),
      async destroy({ key }) {
        if (!(await authority.removeRequest(key))) fail(certificateIssues.NO_REQUEST_WAITS, { name: key })
      },
    }
  },
}

/** Revocation lists of this server's authority. */
export const certificateRevocationList: TerminusDefinition<PemDocument, CertificateServices, RevocationListRequest> = {
  doc: 'The authority of this server.',
  create: (services) => {
    const authority = authorityOf('certificate_revocation_list', services)
    return {
      find: async ({ key, forEver = false }) => (key === 'ca' ? authority.revocationLists({ forEver }) : undefined),
      save: ({ pem }) => authority.updateRevocationLists(pem),
    }
  },
}

function authorityOf(indirection: string, { authority }: CertificateServices): CertificateAuthority {
  return authority ?? fail(certificateIssues.NO_AUTHORITY_HERE, { indirection })
}
