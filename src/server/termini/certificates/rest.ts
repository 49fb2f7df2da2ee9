import { parseCertificates } from '../../../ca/x509/certificate.ts'
import { parseCertificateRequest } from '../../../ca/x509/certificate-request.ts'
import { parseRevocationListsAsync } from '../../../ca/x509/revocation-list.ts'
import { isCertname } from '../../../machine/settings/certname.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { CaV1 } from '../../../network/client/ca-v1.ts'
import { ignoreNotFound } from '../../../network/client/errors.ts'
import type {
  CertificateLookup,
  CertificateServices,
  PemDocument,
  RevocationListRequest,
  SigningRequest,
} from './index.ts'

/** Certificates from the authority at `ca_server`. */
export const certificate: TerminusDefinition<PemDocument, CertificateServices, CertificateLookup> = {
  doc: 'The CA at ca_server, queried without a client certificate.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (!isCertname(key)) return undefined
        return ignoreNotFound(
          remote.ask(`certificate ${key}`, async (ca) => validatePem(await ca.certificate(key), parseCertificates)),
        )
      },
    }
  },
}

/**
 * Forwards signing requests to the authority at `ca_server`. Signing requests cannot be deleted there, since only the
 * authority's administrator may delete them.
 */
export const certificateRequest: TerminusDefinition<string, CertificateServices, SigningRequest> = {
  doc: 'The CA at ca_server receives the requests and decides about them.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (!isCertname(key)) return undefined
        const found = await ignoreNotFound(
          remote.ask(`request ${key}`, async (ca) => validatePem(await ca.request(key), parseCertificateRequest)),
        )
        return found?.pem
      },
      async save(pem, { key }) {
        // Malformed requests are not forwarded.
        parseCertificateRequest(pem)
        await remote.tell((ca) => ca.submitRequest(key, pem))
      },
    }
  },
}

/** Revocation lists from the authority at `ca_server`. */
export const certificateRevocationList: TerminusDefinition<PemDocument, CertificateServices, RevocationListRequest> = {
  doc: 'The CA at ca_server.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (key !== 'ca') return undefined
        const requestLists = async (ca: CaV1) => validatePem(await ca.revocationList(), parseRevocationListsAsync)
        return ignoreNotFound(remote.ask('lists', requestLists, 'known'))
      },
    }
  },
}

/** Validates a PEM text. Throws if it cannot be parsed. */
async function validatePem(pem: string | undefined, read: (pem: string) => unknown): Promise<PemDocument | undefined> {
  if (pem === undefined) return undefined
  await read(pem)
  return { pem, modified: undefined }
}
