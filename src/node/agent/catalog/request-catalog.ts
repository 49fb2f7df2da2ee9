import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import type { SignedCatalog } from '../../../model/catalog-signature.ts'
import type { Facts } from '../../../model/facts.ts'
import type { Session } from '../../../network/client/session.ts'
import type { FactValues } from '../../facts/fact.ts'
import { formatReportTime } from '../log.ts'

/** The node and session for a catalog request. */
export interface CatalogRequestOptions {
  readonly settings: Settings
  readonly system: Pick<System, 'now'>
  readonly session: Session
  /** Called with the server that compiled the catalog, if the response names it. */
  compiledBy?(server: string): void
  readonly environment: string
  readonly nodeName: string
  readonly facts: FactValues
  readonly transactionUuid: string
  /** The commit of the node's plug-ins. */
  readonly pluginsCodeId?: string | undefined
  readonly jobId?: string | undefined
}

/** Requests a catalog. The catalog is static unless `static_catalogs` is false. */
export async function requestCatalog(asking: CatalogRequestOptions): Promise<SignedCatalog> {
  const { settings, session } = asking
  const { compiler, ...catalog } = await session.puppet.catalog(asking.nodeName, {
    environment: asking.environment,
    configuredEnvironment: settings.environment,
    checkEnvironment: true,
    facts: toRequestFacts(asking),
    transactionUuid: asking.transactionUuid,
    pluginsCodeId: asking.pluginsCodeId,
    jobUuid: asking.jobId,
    staticCatalog: settings.static_catalogs,
    checksumTypes: settings.supported_checksum_types,
  })
  if (compiler !== undefined) asking.compiledBy?.(compiler)
  return { ...catalog, transaction: asking.transactionUuid }
}

/** Converts the facts to the form that is sent to the server. */
export function toRequestFacts({
  facts,
  nodeName: name,
  settings,
  system,
}: Pick<CatalogRequestOptions, 'facts' | 'nodeName' | 'settings' | 'system'>): Facts {
  const now = system.now()
  return {
    name,
    values: facts,
    timestamp: formatReportTime(now),
    expiration: formatReportTime(now + settings.runinterval * 1000),
  }
}
