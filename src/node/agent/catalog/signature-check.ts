import { formatDistinguishedName } from '../../../ca/x509/distinguished-name.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { type SignedCatalog, signatureIssues, verifyCatalog } from '../../../model/catalog-signature.ts'
import type { Log } from '../log.ts'
import { createCaContext } from '../ssl/ssl-context.ts'

/** Settings and system for the signature check of catalogs. */
export interface SignatureCheckOptions {
  readonly settings: Pick<Settings, 'catalog_signature' | 'localcacert' | 'hostcrl' | 'certificate_revocation'>
  readonly system: Pick<System, 'files' | 'now'>
  readonly log: Log
}

/**
 * Checks the signature of a node's catalog, as set by `catalog_signature`; throws one of
 * `signatureIssues`. A cached catalog without a signature causes a warning. A new catalog without a
 * signature does not: TLS has verified the server, and the server may not sign catalogs.
 */
export async function checkSignature(
  catalog: SignedCatalog,
  node: string,
  { settings, system, log }: SignatureCheckOptions,
): Promise<void> {
  const { catalog_signature: wanted } = settings
  if (wanted === 'off') return
  const { signature, transaction } = catalog
  if (signature === undefined && wanted === 'check') {
    const { text, hint } = signatureIssues.CATALOG_UNSIGNED
    if (transaction === undefined) log.warning(`${text({ node })}\n${hint()}`)
    else log.debug(text({ node }))
    return
  }
  const now = new Date(system.now())
  const { time, signer } = verifyCatalog(catalog, { trust: await readTrust(settings, system), now, node, transaction })
  log.debug(`The catalog for ${node} was signed by '${formatDistinguishedName(signer.subject)}' at ${time}`)
}

/** Reads the CA certificates and revocation lists of this host. */
export async function readTrust(
  {
    localcacert,
    hostcrl,
    certificate_revocation,
  }: Pick<Settings, 'localcacert' | 'hostcrl' | 'certificate_revocation'>,
  { files }: Pick<System, 'files'>,
) {
  const [authorities = '', lists] = await Promise.all([files.readText(localcacert), files.readText(hostcrl)])
  return createCaContext(authorities, lists, certificate_revocation).trust
}
