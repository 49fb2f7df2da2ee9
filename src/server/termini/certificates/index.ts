import type { CertificateAuthority } from '../../../ca/certificate-authority.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import * as ca from './ca.ts'
import * as file from './file.ts'
import type { RemoteAuthority } from './remote-authority.ts'
import * as rest from './rest.ts'

/** PEM text, with its modification time if known. */
export interface PemDocument {
  readonly pem: string
  readonly modified: Date | undefined
}

/** Request for a certificate; the key `ca` means the authority's chain. */
export type CertificateLookup = Request

/** Request for a certificate signing request. */
export interface SigningRequest extends Request {
  /** Network address of the submitter. */
  readonly from?: string
}

/** Request for the revocation lists; the key is `ca`. */
export interface RevocationListRequest extends Request {
  /** True if the agent downloads the revocation lists only once and never refreshes them. */
  readonly forEver?: boolean
}

/** Dependencies of the termini of certificates, signing requests and revocation lists. */
export interface CertificateServices {
  /** The authority of this server; undefined if it has none. */
  readonly authority: CertificateAuthority | undefined
  readonly files: Pick<Files, 'readWithin' | 'stat'>
  readonly settings: { readonly localcacert: string; readonly hostcrl: string; readonly certdir: string }
  /** Client of the authority at `ca_server`. Throws REMOTE_IS_THIS_SERVER. */
  remote(): RemoteAuthority
}

/** Certificates of hosts and of the authority, in PEM. */
export const certificate: IndirectionDefinition<PemDocument, CertificateServices, CertificateLookup> = {
  name: 'certificate',
  doc: 'Certificates of hosts and of the CA.',
  termini: { ca: ca.certificate, file: file.certificate, rest: rest.certificate },
}

/** Signing requests that are pending, in PEM. */
export const certificateRequest: IndirectionDefinition<string, CertificateServices, SigningRequest> = {
  name: 'certificate_request',
  doc: 'Certificate requests of hosts.',
  termini: { ca: ca.certificateRequest, rest: rest.certificateRequest },
}

/** Revocation lists of the authority and its parents, in PEM. */
export const certificateRevocationList: IndirectionDefinition<PemDocument, CertificateServices, RevocationListRequest> =
  {
    name: 'certificate_revocation_list',
    doc: 'Certificate revocation lists.',
    termini: {
      ca: ca.certificateRevocationList,
      file: file.certificateRevocationList,
      rest: rest.certificateRevocationList,
    },
  }
