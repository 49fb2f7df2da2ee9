import type { CertificateAuthority } from '../../../ca/certificate-authority.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import * as ca from './ca.ts'
import * as file from './file.ts'
import type { RemoteAuthority } from './remote-authority.ts'
import * as rest from './rest.ts'

/** Text in PEM, with the time it last changed where that is known. */
export interface PemDocument {
  readonly pem: string
  readonly modified: Date | undefined
}

/** A request for a certificate; the key `ca` is the authority's, with those above it. */
export type CertificateRequest = Request

/** A request about a request to sign. */
export interface SigningRequest extends Request {
  /** The network of who hands it in. */
  readonly from?: string
}

/** A request for the revocation lists; their key is `ca`. */
export interface RevocationListRequest extends Request {
  /** True for a reader that never fetches them again. */
  readonly forEver?: boolean
}

/** Services of the termini of certificates, requests and revocation lists. */
export interface CertificateServices {
  /** The authority of this server; none where it has none. */
  readonly authority: CertificateAuthority | undefined
  readonly files: Pick<Files, 'readWithin' | 'stat'>
  readonly settings: { readonly localcacert: string; readonly hostcrl: string; readonly certdir: string }
  /** The authority of `ca_server`. Throws REMOTE_IS_THIS_SERVER. */
  remote(): RemoteAuthority
}

/** Certificates of hosts, and of the authority. Text is PEM in all three. */
export const certificate: IndirectionDefinition<PemDocument, CertificateServices, CertificateRequest> = {
  name: 'certificate',
  doc: 'Certificates of hosts, and of the authority.',
  termini: { ca: ca.certificate, file: file.certificate, rest: rest.certificate },
}

/** Requests that wait to be signed. */
export const certificateRequest: IndirectionDefinition<string, CertificateServices, SigningRequest> = {
  name: 'certificate_request',
  doc: 'Requests of hosts for a certificate.',
  termini: { ca: ca.certificateRequest, rest: rest.certificateRequest },
}

/** The revocation lists of the authority and of those above it. */
export const certificateRevocationList: IndirectionDefinition<PemDocument, CertificateServices, RevocationListRequest> =
  {
    name: 'certificate_revocation_list',
    doc: 'The certificates that do not count any more.',
    termini: {
      ca: ca.certificateRevocationList,
      file: file.certificateRevocationList,
      rest: rest.certificateRevocationList,
    },
  }
