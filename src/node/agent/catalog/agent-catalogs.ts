import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { SignedCatalog } from '../../../model/catalog-signature.ts'
import { createIndirection } from '../../../model/indirector/indirection.ts'
import type { Request } from '../../../model/indirector/request.ts'
import {
  checkRoutes,
  getRoute,
  type IndirectionRoute,
  parseRoutes,
  type Routes,
} from '../../../model/indirector/routes.ts'
import { type IndirectionDefinition, listTerminusNames } from '../../../model/indirector/terminus.ts'
import { createCatalogFiles, jsonCatalogFormat, yamlCatalogFormat } from './catalog-files.ts'

/** Settings for the location of an agent's catalogs. */
type CatalogSettings = Pick<
  Settings,
  'route_file' | 'catalog_terminus' | 'catalog_cache_terminus' | 'client_datadir' | 'clientyamldir'
>

interface CatalogServices {
  readonly files: Files
  readonly settings: CatalogSettings
  /** Requests a catalog from the server. */
  ask(): Promise<SignedCatalog | undefined>
}

/** The indirection for catalogs of this node. */
const definition: IndirectionDefinition<SignedCatalog, CatalogServices, Request> = {
  name: 'catalog',
  doc: 'Catalogs of this node.',
  termini: {
    rest: { doc: 'Requests the catalog from the server.', create: ({ ask }) => ({ find: ask }) },
    json: {
      doc: 'Stores the catalog as a JSON file in client_datadir.',
      create: ({ files, settings }) => createCatalogFiles(files, settings.client_datadir, jsonCatalogFormat),
    },
    yaml: {
      doc: 'Stores the catalog as a YAML file in clientyamldir, as Puppet does.',
      create: ({ files, settings }) => createCatalogFiles(files, settings.clientyamldir, yamlCatalogFormat),
    },
  },
}

/** The agent's catalog sources: new catalogs, usually from the server, and the cache of the last catalog. */
export interface AgentCatalogs {
  /** Finds a new catalog through the terminus. */
  find(name: string): Promise<SignedCatalog | undefined>
  /** Reads the last catalog from the cache, even if the file is stored in another format. */
  cached(name: string): Promise<SignedCatalog | undefined>
  /** Stores the last catalog; undefined if the routes disable the cache. */
  readonly save: ((name: string, catalog: SignedCatalog) => Promise<void>) | undefined
}

/** Creates the catalog sources set by routes.yaml and the settings. Throws INVALID_ROUTES. */
export async function createAgentCatalogs(services: CatalogServices): Promise<AgentCatalogs> {
  const { files, settings } = services
  const { terminus, cache } = getRoute(
    await readRoutes(files, settings.route_file),
    'catalog',
    getSettingsRoute(settings),
  )
  const found = createIndirection(definition, services, { terminus })
  if (cache === undefined) return { find: (key) => found.find({ key }), cached: async () => undefined, save: undefined }
  const kept = [cache, ...['json', 'yaml'].filter((name) => name !== cache)].map((name) =>
    definition.termini[name]!.create(services),
  )
  return {
    find: (key) => found.find({ key }),
    async cached(key) {
      for (const each of kept) {
        const catalog = await each.find?.({ key })
        if (catalog !== undefined) return catalog
      }
      return undefined
    },
    save: async (key, catalog) => kept[0]!.save?.(catalog, { key }),
  }
}

/**
 * Returns the route set by the settings. The server uses the same settings, but its default values,
 * such as `compiler`, do not apply to an agent.
 */
function getSettingsRoute({ catalog_terminus, catalog_cache_terminus }: CatalogSettings): IndirectionRoute {
  return {
    terminus: catalog_terminus === 'compiler' ? 'rest' : catalog_terminus,
    cache: catalog_cache_terminus === '' ? 'json' : catalog_cache_terminus,
  }
}

async function readRoutes(files: Files, file: string): Promise<Routes> {
  const text = await files.readText(file)
  const { catalog } = text === undefined ? {} : parseRoutes(text, file, 'agent')
  // An agent ignores the routes of other indirections.
  const routes: Routes = catalog === undefined ? {} : { catalog }
  checkRoutes(routes, file, { catalog: listTerminusNames(definition) })
  return routes
}
