import { parseCertificates } from '../../../ca/x509/certificate.ts'
import { parseRequest } from '../../../ca/x509/certificate-request.ts'
import { parseRevocationListsInTurns } from '../../../ca/x509/revocation-list.ts'
import { isCertname } from '../../../machine/settings/certname.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { CaV1 } from '../../../network/client/ca-v1.ts'
import { unlessMissing } from '../../../network/client/errors.ts'
import type {
  CertificateRequest,
  CertificateServices,
  PemDocument,
  RevocationListRequest,
  SigningRequest,
} from './index.ts'

/** Certificates from the authority at `ca_server`. */
export const certificate: TerminusDefinition<PemDocument, CertificateServices, CertificateRequest> = {
  doc: 'The authority at ca_server, asked as anybody may ask it.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (!isCertname(key)) return undefined
        return unlessMissing(
          remote.ask(`certificate ${key}`, async (ca) => readable(await ca.certificate(key), parseCertificates)),
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
  doc: 'The authority at ca_server: it gets requests, and decides.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (!isCertname(key)) return undefined
        const found = await unlessMissing(
          remote.ask(`request ${key}`, async (ca) => readable(await ca.request(key), parseRequest)),
        )
        return found?.pem
      },
      async save(pem, { key }) {
        // Malformed requests are not forwarded.
        parseRequest(pem)
        await remote.tell((ca) => ca.submitRequest(key, pem))
      },
    }
  },
}

/** Revocation lists from the authority at `ca_server`. */
export const certificateRevocationList: TerminusDefinition<PemDocument, CertificateServices, RevocationListRequest> = {
  doc: 'The authority at ca_server.',
  create: (services) => {
    const remote = services.remote()
    return {
      async find({ key }) {
        if (key !== 'ca') return undefined
        const question = async (ca: CaV1) => readable(await ca.revocationList(), parseRevocationListsInTurns)
        return unlessMissing(remote.ask('lists', question, 'known'))
      },
    }
  },
}

/** Validates a PEM text. Throws if it cannot be parsed. */
async function readable(pem: string | undefined, read: (pem: string) => unknown): Promise<PemDocument | undefined> {
  if (pem === undefined) return undefined
  await read(pem)
  return { pem, modified: undefined }
}
