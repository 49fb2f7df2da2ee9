import { formatErrorReason } from '../language/ruby-semantics/errno.ts'
import { formatInventoryTime } from './inventory.ts'
import type { Certificate } from './x509/certificate.ts'
import type { CertificateRequest } from './x509/certificate-request.ts'
import { type Extension, getExtensionText, listSubjectAltNames } from './x509/extensions.ts'
import { computeFingerprint } from './x509/fingerprint.ts'
import { getPuppetShortName, isOidWithin, puppetArcs } from './x509/oids.ts'

/** States of a certname in Puppet's CA API; `broken` for an unreadable file. */
export type CertificateState = 'requested' | 'signed' | 'revoked' | 'broken'

/** The status of a certname in the format of the CA API (protocol.md 12). */
export interface CertificateStatus {
  readonly name: string
  readonly state: CertificateState
  readonly dns_alt_names: readonly string[]
  readonly subject_alt_names: readonly string[]
  readonly authorization_extensions: Readonly<Record<string, string>>
  readonly fingerprint: string
  readonly fingerprints: Readonly<Record<'SHA1' | 'SHA256' | 'SHA512' | 'default', string>>
  readonly serial_number?: number | string
  readonly not_before?: string
  readonly not_after?: string
  /** Reason why the file is unreadable, in state `broken`; the other fields are then empty. */
  readonly problem?: string
}

/** Returns the status of a certname with a damaged file. Such a certname is listed so that it can be cleaned. */
export function createBrokenStatus(name: string, problem: string): CertificateStatus {
  const none = { SHA1: '', SHA256: '', SHA512: '', default: '' }
  const empty = { dns_alt_names: [], subject_alt_names: [], authorization_extensions: {} }
  return { name, state: 'broken', ...empty, fingerprint: '', fingerprints: none, problem }
}

/** Returns the status of a certname with a pending request. */
export function toRequestStatus(name: string, request: CertificateRequest): CertificateStatus {
  return { ...buildCommonFields(name, 'requested', request.extensions), ...computeFingerprints(request.der) }
}

/** Returns the status of a certname with a certificate that is not revoked. */
export function toCertificateStatus(name: string, certificate: Certificate): CertificateStatus {
  const { serial } = certificate
  return {
    ...buildCommonFields(name, 'signed', certificate.extensions),
    ...computeFingerprints(certificate.der),
    serial_number: serial <= Number.MAX_SAFE_INTEGER ? Number(serial) : String(serial),
    not_before: formatInventoryTime(certificate.notBefore),
    not_after: formatInventoryTime(certificate.notAfter),
  }
}

/**
 * Returns the result of `read`, or a status with state `broken` if `read` fails, so that one damaged file does not fail
 * a listing.
 */
export function tryReadStatus(name: string, read: () => CertificateStatus): CertificateStatus {
  try {
    return read()
  } catch (error) {
    return createBrokenStatus(name, formatErrorReason(error))
  }
}

function buildCommonFields(name: string, state: CertificateState, extensions: readonly Extension[]) {
  const names = listSubjectAltNames(extensions)
  const authorizations = extensions.filter(({ oid }) => isOidWithin(oid, puppetArcs.authorization))
  return {
    name,
    state,
    dns_alt_names: names.filter((each) => each.startsWith('DNS:')),
    subject_alt_names: names,
    authorization_extensions: Object.fromEntries(
      authorizations.map((each) => [getPuppetShortName(each.oid), getExtensionText(each)]),
    ),
  }
}

function computeFingerprints(der: Buffer): Pick<CertificateStatus, 'fingerprint' | 'fingerprints'> {
  const sha256 = computeFingerprint(der)
  return {
    fingerprint: sha256,
    fingerprints: {
      SHA1: computeFingerprint(der, 'SHA1'),
      SHA256: sha256,
      SHA512: computeFingerprint(der, 'SHA512'),
      default: sha256,
    },
  }
}
