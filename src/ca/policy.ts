import { fail } from '../base/issue.ts'
import { type CertificateRequest, isProven } from '../x509/certificate-request.ts'
import { subjectAltNames } from '../x509/extensions.ts'
import { isWithin, oids, puppetArcs } from '../x509/oids.ts'
import { isCertname } from './certname.ts'
import { refusals } from './issues.ts'

/** What requests may ask for. */
export interface SigningPolicy {
  readonly allowSubjectAltNames: boolean
  readonly allowAuthorizationExtensions: boolean
}

/** Throws when the request is not for this name, or for a name that nobody may have. */
export function checkSubject(name: string, request: CertificateRequest): void {
  const subject = request.commonName ?? ''
  if (subject !== name) fail(refusals.HOSTNAME_MISMATCH, { subject, key: name })
  if (/[A-Z]/.test(name)) fail(refusals.UPPER_CASE, {})
  if (name.includes('*')) fail(refusals.WILDCARD_SUBJECT, { name })
  if (!isCertname(name)) fail(refusals.INVALID_SUBJECT_NAME, {})
}

/** Throws when the request asks for more than it may have, or is not signed by its own key. */
export function checkContent(name: string, request: CertificateRequest, policy: SigningPolicy): void {
  checkAltNames(name, subjectAltNames(request.extensions), policy)
  const asked = request.extensions.map(({ oid }) => oid)
  if (!policy.allowAuthorizationExtensions && asked.some((oid) => isWithin(oid, puppetArcs.authorization)))
    fail(refusals.AUTHORIZATION_EXTENSIONS, { name })
  const strange = asked.filter((oid) => !isPermitted(oid))
  if (strange.length > 0) fail(refusals.DISALLOWED_EXTENSION, { oids: strange })
  if (!isProven(request)) fail(refusals.INVALID_SIGNATURE, {})
}

function checkAltNames(name: string, names: readonly string[], { allowSubjectAltNames }: SigningPolicy): void {
  const extra = names.filter((each) => each !== `DNS:${name}`)
  if (extra.length > 0 && !allowSubjectAltNames) fail(refusals.EXTRA_ALT_NAMES, { name, extra })
  if (extra.some((each) => !/^(DNS|IP):/.test(each))) fail(refusals.ALT_NAME_KIND, { name })
  const wildcard = extra.find((each) => each.includes('*'))
  if (wildcard !== undefined) fail(refusals.WILDCARD_ALT_NAME, { name, altName: wildcard })
}

/** Alternative names and Puppet's arcs. What else a certificate says, the authority says. */
function isPermitted(oid: string): boolean {
  return oid === oids.subjectAltName || Object.values(puppetArcs).some((arc) => isWithin(oid, arc))
}
