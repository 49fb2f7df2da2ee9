import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import type { SignedCatalog } from '../../../model/catalog-signature.ts'
import type { Facts } from '../../../model/facts.ts'
import type { Session } from '../../../network/client/session.ts'
import type { FactValues } from '../../facts/fact.ts'
import { isoTime } from '../log.ts'

/** A node as it asks for its catalog. */
export interface CatalogAsking {
  readonly settings: Settings
  readonly system: Pick<System, 'now'>
  readonly session: Session
  /** Told which server compiled it, where the server says so. */
  compiledBy?(server: string): void
  readonly environment: string
  readonly nodeName: string
  readonly facts: FactValues
  readonly transactionUuid: string
  /** The commit whose plug-ins the node has. */
  readonly pluginsCodeId?: string | undefined
  readonly jobId?: string | undefined
}

/** Asks the server for a catalog, static unless the node's `static_catalogs` is false. */
export async function requestCatalog(asking: CatalogAsking): Promise<SignedCatalog> {
  const { settings, session } = asking
  const { compiler, ...catalog } = await session.puppet.catalog(asking.nodeName, {
    environment: asking.environment,
    configuredEnvironment: settings.environment,
    checkEnvironment: true,
    facts: factsToSend(asking),
    transactionUuid: asking.transactionUuid,
    pluginsCodeId: asking.pluginsCodeId,
    jobUuid: asking.jobId,
    staticCatalog: settings.static_catalogs,
    checksumTypes: settings.supported_checksum_types,
  })
  if (compiler !== undefined) asking.compiledBy?.(compiler)
  return { ...catalog, transaction: asking.transactionUuid }
}

/** The facts as the server is told them. */
export function factsToSend({
  facts,
  nodeName: name,
  settings,
  system,
}: Pick<CatalogAsking, 'facts' | 'nodeName' | 'settings' | 'system'>): Facts {
  const now = system.now()
  return {
    name,
    values: facts,
    timestamp: isoTime(now),
    expiration: isoTime(now + settings.runinterval * 1000),
  }
}
