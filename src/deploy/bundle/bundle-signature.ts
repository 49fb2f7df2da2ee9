import { PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { isCatalogSigner } from '../../ca/catalog-signer.ts'
import type { Certificate } from '../../ca/x509/certificate.ts'
import { type ChainTrust, verifyChain } from '../../ca/x509/chain.ts'
import { findCommonName } from '../../ca/x509/distinguished-name.ts'
import { createStatementWriter, type StatementSigner, verifyStatement } from '../../ca/x509/json-web-signature.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { computeCatalogDigest } from '../../model/catalog-signature.ts'
import { bundleIssues } from './issues.ts'

/** A valid signature of a bundle. */
export interface BundleSignature {
  /** Common name of the signer. */
  readonly signer: string
  /** Time of the signature, as ISO 8601 in UTC. */
  readonly time: string
}

/** The type of this statement; no other kind of signed statement has the same type. */
const kind = 'plumb-bundle+jws'

/**
 * A signature at most this number of milliseconds in the future is accepted, because a site without network has no time
 * server. A later one would make all following bundles older.
 */
const clockToleranceMs = 24 * 3_600_000

/** Signs the manifest of a bundle, which contains the digests of all files. */
export function signBundleManifest(manifest: string, signer: StatementSigner, now: Date): string {
  const statement = { digest: computeCatalogDigest(manifest), time: now.toISOString() }
  return createStatementWriter(kind, signer)(JSON.stringify(statement))
}

/**
 * Verifies the signature of a manifest. The certificate of the signer must be valid only for signing catalogs, must have been
 * valid at the time of the signature, and must not be revoked. Throws BUNDLE_….
 */
export function verifyBundleSignature(
  manifest: string,
  signature: string,
  { trust, now }: { readonly trust: ChainTrust; readonly now: Date },
): BundleSignature {
  if (signature === '') throwIssue(bundleIssues.BUNDLE_UNSIGNED, {})
  const { digest, time, certificate } = readStatement(signature)
  const signer = findCommonName(certificate.subject) ?? ''
  if (!isCatalogSigner(certificate)) throwIssue(bundleIssues.BUNDLE_SIGNER_FOREIGN, { signer })
  try {
    verifyChain(certificate, trust, now, time)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    throwIssue(bundleIssues.BUNDLE_SIGNER_UNTRUSTED, { signer, why: formatErrorReason(error) })
  }
  if (time.getTime() > now.getTime() + clockToleranceMs)
    throwIssue(bundleIssues.BUNDLE_FROM_FUTURE, { signer, time: time.toISOString(), now: now.toISOString() })
  if (digest !== computeCatalogDigest(manifest)) rejectSignature('its manifest does not match the signature')
  return { signer, time: time.toISOString() }
}

interface Statement {
  readonly digest: string
  readonly time: Date
  readonly certificate: Certificate
}

function readStatement(signature: string): Statement {
  try {
    const { text, certificate } = verifyStatement(kind, signature)
    const statement = checkJsonObject(JSON.parse(text), 'the signature')
    const written = checkJsonString(statement['time'], 'time')
    const time = new Date(written)
    if (Number.isNaN(time.getTime()) || time.toISOString() !== written) throw new Error('its time is invalid')
    return { digest: checkJsonString(statement['digest'], 'digest'), time, certificate }
  } catch (error) {
    return rejectSignature(`its signature cannot be read: ${formatErrorReason(error)}`)
  }
}

function rejectSignature(why: string): never {
  return throwIssue(bundleIssues.BUNDLE_MALFORMED, { why })
}
