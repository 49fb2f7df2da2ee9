import { createPuppetError, defineIssues } from '../../base/issue.ts'
import { formatPublicSettings } from '../../machine/settings/public-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import { compileAdHocCode } from '../termini/catalog/ad-hoc-code.ts'
import { type CatalogServices, createCodeJob } from '../termini/catalog/compiler.ts'
import { compileRequestedCatalog } from '../termini/catalog/requested-catalog.ts'
import { createVersionedCode } from '../termini/catalog/versioned-code.ts'
import type { IndirectionParts, ServiceParts } from './service-parts.ts'
import type { Services } from './services.ts'

const issues = defineIssues({
  CATALOGS_NOT_STORED: {
    text: () => 'storeconfigs_backend is puppetdb, but the catalog cache is another terminus',
    hint: () => "Remove catalog_cache_terminus and the section 'catalog' of routes.yaml, or set both to puppetdb.",
  },
})

type FactsAndNodes = Pick<Services, 'facts' | 'node'>

/** Services that compile or find catalogs. */
export type CatalogCompilation = Pick<
  Services,
  'catalog' | 'versionedCode' | 'requestedCatalog' | 'catalogOfCode' | 'jobInCode'
> & {
  /** True if exported resources are stored with the catalogs. */
  readonly exportsInStore: boolean
}

/**
 * Catalog indirection, from routes.yaml or the settings `catalog_terminus` and
 * `catalog_cache_terminus`.
 */
export function createCatalogIndirection(shared: IndirectionParts, { facts, node }: FactsAndNodes): CatalogCompilation {
  const { parts, plugIns, route, common, readText, remote } = shared
  const { settings, system, environments, pool, store, serverFacts } = parts
  const keptIn = settings.catalog_cache_terminus || (store && 'puppetdb')
  const chosen = route('catalog', settings.catalog_terminus, keptIn)
  const storesCatalogs = [chosen.cache, chosen.terminus].includes('puppetdb')
  const services: CatalogServices = {
    ...{ environments, pool, storesCatalogs, store, readText, remote, facts, node, serverFacts, settings },
    exports: getSeparateExports(parts, storesCatalogs),
    versionedCode: createVersionedCode(settings),
    system: { files: system.files, commands: system.commands },
    publicSettings: formatPublicSettings(settings),
    log: parts.logCompile,
  }
  return {
    catalog: createIndirection(plugIns.catalog, services, chosen, common),
    versionedCode: services.versionedCode,
    requestedCatalog: (asked) => compileRequestedCatalog(asked, services),
    catalogOfCode: (asked) => compileAdHocCode(asked, services),
    jobInCode: (request, code) => createCodeJob(request, code, services),
    exportsInStore: isExportingToStore(settings) && storesCatalogs,
  }
}

function isExportingToStore({ storeconfigs, storeconfigs_backend: backend }: Settings): boolean {
  return storeconfigs && backend === 'puppetdb'
}

/** Separate store of exported resources; undefined if they are stored with the catalogs. */
function getSeparateExports(
  { settings, exports, warn }: ServiceParts,
  storesCatalogs: boolean,
): ExportStore | undefined {
  if (!isExportingToStore(settings)) return exports
  if (!storesCatalogs) warn('Exported resources are not stored', createPuppetError(issues.CATALOGS_NOT_STORED, {}))
  return undefined
}
