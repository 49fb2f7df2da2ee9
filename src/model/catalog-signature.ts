import { createHash } from 'node:crypto'
import { defineIssues, throwIssue } from '../base/issue.ts'
import { checkJsonObject, checkJsonString, checkOptionalString } from '../base/json/json-checks.ts'
import type { Certificate } from '../ca/x509/certificate.ts'
import { type ChainTrust, verifyChain } from '../ca/x509/chain.ts'
import { findCommonName } from '../ca/x509/distinguished-name.ts'
import { findExtension, listExtendedKeyUses } from '../ca/x509/extensions.ts'
import { createStatementWriter, type StatementSigner, verifyStatement } from '../ca/x509/json-web-signature.ts'
import { catalogSigning, oids } from '../ca/x509/oids.ts'
import { formatErrorReason } from '../language/ruby-semantics/errno.ts'
import type { CatalogWire } from './catalog.ts'

/** Name of the response header that contains the signature of a catalog. */
export const signatureHeader = 'X-Plumb-Catalog-Signature'

/** The statement about a catalog that is signed. */
export interface CatalogStatement {
  /** Digest of the response body before it is compressed: `{sha256}…`. */
  readonly digest: string
  /** Certname of the node for which the catalog was compiled. */
  readonly node: string
  readonly environment: string
  readonly codeId: string | undefined
  /** Time of the signature, as ISO 8601 in UTC. */
  readonly time: string
  /** The `transaction_uuid` in the request for the catalog. */
  readonly transaction: string | undefined
}

/** The statement in a catalog's valid signature, with the signer. */
export interface VerifiedCatalog extends CatalogStatement {
  readonly signer: Certificate
}

/** A catalog as it was received or cached. */
export interface SignedCatalog {
  readonly wire: CatalogWire
  /** The response body. */
  readonly text: string
  readonly signature: string | undefined
  /** The `transaction_uuid` of the request; undefined for a cached catalog. */
  readonly transaction?: string | undefined
}

/** The conditions for accepting a signature. */
export interface SignatureCheck {
  readonly trust: ChainTrust
  readonly now: Date
  /** Certname that the statement must contain; if undefined, all certnames are accepted. */
  readonly node?: string | undefined
  /**
   * `transaction_uuid` that the statement must contain. If undefined, the catalog is from the cache, and the
   * certificates must have been valid when it was signed.
   */
  readonly transaction?: string | undefined
}

/** Reasons for rejecting a catalog. */
export const signatureIssues = defineIssues({
  CATALOG_UNSIGNED: {
    text: (a: { node: string }) => `The catalog for ${a.node} is not signed`,
    hint: () =>
      'On the server, set catalog_signing to true and catalog_signer to a key. On the agent, catalog_signature sets which catalogs are accepted.',
  },
  CATALOG_SIGNATURE_BROKEN: {
    text: (a: { why: string }) => `Could not read the signature of the catalog: ${a.why}`,
  },
  CATALOG_SIGNER_UNTRUSTED: {
    text: (a: { signer: string; why: string }) =>
      `The catalog was signed by '${a.signer}', which is not trusted: ${a.why}`,
  },
  CATALOG_SIGNER_FOREIGN: {
    text: (a: { signer: string }) =>
      `The catalog was signed by '${a.signer}', whose certificate is not valid for signing catalogs`,
  },
  CATALOG_ALTERED: {
    text: (a: { node: string }) => `The catalog for ${a.node} was changed after it was signed`,
    hint: () => 'The next catalog from the server replaces it.',
  },
  CATALOG_OF_ANOTHER: {
    text: (a: { what: string; signed: string; wanted: string }) =>
      `The signature belongs to another catalog: its ${a.what} is '${a.signed}', not '${a.wanted}'`,
  },
})

/** The type of this statement; no other kind of signed statement has the same type. */
const kind = 'plumb-catalog+jws'

/** Returns the digest that a statement contains: SHA-256 of the bytes of the catalog's body. */
export function computeCatalogDigest(body: string | Uint8Array): string {
  return `{sha256}${createHash('sha256').update(body).digest('hex')}`
}

/** Returns a function that creates signed statements about catalogs. */
export function createCatalogSigner(signer: StatementSigner): (statement: CatalogStatement) => string {
  const write = createStatementWriter(kind, signer)
  return ({ digest, node, environment, codeId, time, transaction }) =>
    write(
      JSON.stringify({ digest, node, environment, code_id: codeId ?? null, time, transaction: transaction ?? null }),
    )
}

/** Verifies a catalog's signature and returns its statement. Throws one of `signatureIssues`. */
export function verifyCatalog(catalog: SignedCatalog, check: SignatureCheck): VerifiedCatalog {
  const { wire, text: body, signature } = catalog
  const named = String(wire['name'])
  if (signature === undefined) return throwIssue(signatureIssues.CATALOG_UNSIGNED, { node: named })
  const statement = readCatalogStatement(signature)
  verifySigner(statement.signer, check, new Date(statement.time))
  const checkMatch = (what: string, signed: string | undefined, wanted: unknown) => {
    if (signed !== (wanted ?? undefined))
      throwIssue(signatureIssues.CATALOG_OF_ANOTHER, { what, signed: signed ?? '', wanted: String(wanted ?? '') })
  }
  if (check.node !== undefined) checkMatch('node', statement.node, check.node)
  if (check.transaction !== undefined) checkMatch('request', statement.transaction, check.transaction)
  if (computeCatalogDigest(body) !== statement.digest) throwIssue(signatureIssues.CATALOG_ALTERED, { node: named })
  checkMatch('node', statement.node, wire['name'])
  checkMatch('environment', statement.environment, wire['environment'])
  checkMatch('code_id', statement.codeId, wire['code_id'])
  return statement
}

function readCatalogStatement(signature: string): VerifiedCatalog {
  try {
    const { text: content, certificate: signer } = verifyStatement(kind, signature)
    const { digest, node, environment, code_id: codeId, time, transaction } = checkJsonObject(JSON.parse(content), 'it')
    return {
      digest: checkJsonString(digest, 'digest'),
      node: checkJsonString(node, 'node'),
      environment: checkJsonString(environment, 'environment'),
      codeId: checkOptionalString(codeId, 'code_id'),
      time: parseTime(checkJsonString(time, 'time')),
      transaction: checkOptionalString(transaction, 'transaction'),
      signer,
    }
  } catch (error) {
    return throwIssue(signatureIssues.CATALOG_SIGNATURE_BROKEN, { why: formatErrorReason(error) })
  }
}

function parseTime(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime()) || date.toISOString() !== time) throw new Error('its time is invalid')
  return time
}

/** Verifies the signer's certificate chain as of the time of the signature; for a new catalog, also as of now. */
function verifySigner(signer: Certificate, { trust, now, transaction }: SignatureCheck, signed: Date): void {
  const name = findCommonName(signer.subject) ?? ''
  const uses = findExtension(signer.extensions, oids.extendedKeyUsage)
  if (uses === undefined || listExtendedKeyUses(uses).join() !== catalogSigning)
    throwIssue(signatureIssues.CATALOG_SIGNER_FOREIGN, { signer: name })
  try {
    verifyChain(signer, trust, now, signed)
    if (transaction !== undefined) verifyChain(signer, trust, now)
  } catch (error) {
    throwIssue(signatureIssues.CATALOG_SIGNER_UNTRUSTED, { signer: name, why: formatErrorReason(error) })
  }
}
