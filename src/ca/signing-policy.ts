import { throwIssue } from '../base/issue.ts'
import { isCertname } from '../machine/settings/certname.ts'
import { requestRefusals } from './issues.ts'
import { checkKeyStrength } from './key-policy.ts'
import { isReservedName } from './reserved-names.ts'
import type { Certificate } from './x509/certificate.ts'
import { type CertificateRequest, hasProofOfPossession } from './x509/certificate-request.ts'
import { isOidWithin, isPuppetOid, oids, puppetArcs } from './x509/oids.ts'
import { isTrustedAlgorithm } from './x509/signature.ts'

/** The optional contents of requests that the CA's settings allow. */
export interface SigningPolicy {
  readonly allowSubjectAltNames: boolean
  readonly allowAuthorizationExtensions: boolean
}

/** Throws if the request is for a different name than `name`, or if nodes must not have this name. */
export function checkSubject(name: string, request: CertificateRequest, authority: Certificate): void {
  const subject = request.commonName ?? ''
  if (subject !== name) throwIssue(requestRefusals.HOSTNAME_MISMATCH, { subject, key: name })
  if (/[A-Z]/.test(name)) throwIssue(requestRefusals.UPPER_CASE, {})
  if (name.includes('*')) throwIssue(requestRefusals.WILDCARD_SUBJECT, { name })
  checkCertname(name, authority)
}

/** Returns true if a node may have this certname. */
export function isNodeCertname(name: string, authority: Certificate): boolean {
  return isCertname(name) && !isReservedName(name, authority)
}

/** Throws if a node may not have this certname. */
export function checkCertname(name: string, authority: Certificate): void {
  if (/[A-Z]/.test(name)) throwIssue(requestRefusals.UPPER_CASE, {})
  if (!isCertname(name)) throwIssue(requestRefusals.INVALID_SUBJECT_NAME, {})
  if (isReservedName(name, authority)) throwIssue(requestRefusals.RESERVED_SUBJECT_NAME, { name })
}

/**
 * Throws for a request that no policy could allow: with a weak key, an invalid signature, or invalid names.
 * `leastKeyBits` is the minimum size of RSA keys.
 */
export function checkRequestForm(name: string, request: CertificateRequest, leastKeyBits: number): void {
  checkKeyStrength(name, request.publicKey, leastKeyBits)
  if (!request.altNames.every(isValidAltName)) throwIssue(requestRefusals.ALT_NAME_KIND, { name })
  const { algorithm } = request
  if (!isTrustedAlgorithm(algorithm)) throwIssue(requestRefusals.WEAK_SIGNATURE, { name, algorithm })
  if (!hasProofOfPossession(request)) throwIssue(requestRefusals.INVALID_SIGNATURE, {})
}

/**
 * Returns false for an invalid DNS name. Returns true for names of other kinds, which the policy
 * rejects with a better message.
 */
function isValidAltName(altName: string): boolean {
  return !altName.startsWith('DNS:') || /^DNS:[\x21-\x39\x3b-\x7e]+$/.test(altName)
}

/** Throws if the request contains more than the policy allows. */
export function checkRequestContent(name: string, request: CertificateRequest, policy: SigningPolicy): void {
  checkAltNames(name, request.altNames, policy)
  const asked = request.extensions.map(({ oid }) => oid)
  if (!policy.allowAuthorizationExtensions && asked.some((oid) => isOidWithin(oid, puppetArcs.authorization)))
    throwIssue(requestRefusals.AUTHORIZATION_EXTENSIONS, { name })
  const strange = asked.filter((oid) => !isPermittedExtension(oid))
  if (strange.length > 0) throwIssue(requestRefusals.DISALLOWED_EXTENSION, { oids: strange })
}

function checkAltNames(name: string, names: readonly string[], { allowSubjectAltNames }: SigningPolicy): void {
  const extra = names.filter((each) => each !== `DNS:${name}`)
  if (extra.length > 0 && !allowSubjectAltNames) throwIssue(requestRefusals.EXTRA_ALT_NAMES, { name, extra })
  if (extra.some((each) => !/^(DNS|IP):/.test(each))) throwIssue(requestRefusals.ALT_NAME_KIND, { name })
  const wildcard = extra.find((each) => each.includes('*'))
  if (wildcard !== undefined) throwIssue(requestRefusals.WILDCARD_ALT_NAME, { name, altName: wildcard })
}

/** Returns true for alternative names and Puppet's OIDs; the CA itself sets all other extensions. */
function isPermittedExtension(oid: string): boolean {
  return oid === oids.subjectAltName || isPuppetOid(oid)
}
