import { throwIssue } from '../../../base/issue.ts'
import type { CertificateAuthority } from '../../../ca/certificate-authority.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type {
  CertificateLookup,
  CertificateServices,
  PemDocument,
  RevocationListRequest,
  SigningRequest,
} from './index.ts'
import { certificateIssues } from './issues.ts'

/** Certificates of this server's authority. */
export const certificate: TerminusDefinition<PemDocument, CertificateServices, CertificateLookup> = {
  doc: 'The CA of this server.',
  create: (services) => {
    const authority = requireAuthority('certificate', services)
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
  doc: 'The CA of this server, which signs by autosign or queues the request.',
  create: (services) => {
    const authority = requireAuthority('certificate_request', services)
    return {
      find: ({ key }) => authority.request(key),
      save: (pem, { key, from }) => authority.submit(key, pem, from),
      async destroy({ key }) {
        if (!(await authority.removeRequest(key))) throwIssue(certificateIssues.NO_REQUEST_WAITS, { name: key })
      },
    }
  },
}

/** Revocation lists of this server's authority. */
export const certificateRevocationList: TerminusDefinition<PemDocument, CertificateServices, RevocationListRequest> = {
  doc: 'The CA of this server.',
  create: (services) => {
    const authority = requireAuthority('certificate_revocation_list', services)
    return {
      find: async ({ key, forEver = false }) => (key === 'ca' ? authority.revocationLists({ forEver }) : undefined),
      save: ({ pem }) => authority.updateRevocationLists(pem),
    }
  },
}

function requireAuthority(indirection: string, { authority }: CertificateServices): CertificateAuthority {
  return authority ?? throwIssue(certificateIssues.NO_AUTHORITY_HERE, { indirection })
}
