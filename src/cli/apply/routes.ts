import { throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import { checkRoutes, getRoute, type KnownTermini, parseRoutes, type Routes } from '../../model/indirector/routes.ts'

/** Settings that determine the destinations of a run without a server. */
export type MasterlessSettings = Pick<
  Settings,
  'route_file' | 'catalog_cache_terminus' | 'storeconfigs' | 'storeconfigs_backend'
>

/** Destinations of facts, catalogs and reports, by terminus; `undefined` for none. */
export interface MasterlessRoutes {
  readonly facts: 'puppetdb' | 'rest' | undefined
  readonly catalog: 'puppetdb' | 'json' | 'yaml' | undefined
  readonly report: 'processor' | 'rest'
}

/** The only terminus from which a run without a server can get each kind of model. */
const sources: Readonly<Record<string, string>> = { facts: 'facter', catalog: 'compiler', resource: 'ral' }

/** Termini by indirection. `puppetdb_apply` is Puppet's name for a terminus that only saves. */
const known: KnownTermini = {
  facts: ['facter', 'puppetdb', 'puppetdb_apply', 'store_configs', 'rest'],
  catalog: ['compiler', 'puppetdb', 'store_configs', 'json', 'yaml'],
  report: ['processor', 'rest', 'yaml'],
  resource: ['ral', 'puppetdb', 'store_configs'],
  node: ['plain', 'exec', 'puppetdb', 'memory'],
  data_binding: ['hiera', 'none'],
}

/**
 * Reads the section `apply` of routes.yaml, which overrides the settings. Throws INVALID_ROUTES.
 *
 * Puppet reads a cache first: with `json`, it applies the catalog of the first run forever, and with storeconfigs it uses the
 * facts in PuppetDB. Here, caches are written but never read.
 */
export async function readMasterlessRoutes(
  settings: MasterlessSettings,
  files: Pick<Files, 'readText'>,
): Promise<MasterlessRoutes> {
  const file = settings.route_file
  const text = await files.readText(file)
  const routes = text === undefined ? {} : parseRoutes(text, file, 'apply')
  checkRoutes(routes, file, known)
  checkSources(routes, file)
  const stored = settings.storeconfigs && settings.storeconfigs_backend === 'puppetdb' ? 'puppetdb' : ''
  const getCache = (name: string, cache: string) => getRoute(routes, name, { terminus: sources[name]!, cache }).cache
  return {
    facts: toFactsDestination(getCache('facts', stored)),
    catalog: toCatalogDestination(getCache('catalog', settings.catalog_cache_terminus || stored)),
    report: getRoute(routes, 'report', { terminus: 'processor' }).terminus === 'rest' ? 'rest' : 'processor',
  }
}

function checkSources(routes: Routes, file: string): void {
  for (const [indirection, { terminus }] of Object.entries(routes)) {
    const only = Object.hasOwn(sources, indirection) ? sources[indirection]! : undefined
    if (only === undefined || terminus === undefined || terminus === only) continue
    const reason = `The terminus of ${indirection} must be ${only} without a server`
    throwIssue(indirectorIssues.INVALID_ROUTES, {
      file,
      reason,
      hint: `Set '${terminus}' as its cache to send data there.`,
    })
  }
}

function toFactsDestination(cache: string | undefined): MasterlessRoutes['facts'] {
  if (cache === undefined || cache === 'facter') return undefined
  return cache === 'rest' ? 'rest' : 'puppetdb'
}

function toCatalogDestination(cache: string | undefined): MasterlessRoutes['catalog'] {
  if (cache === undefined || cache === 'compiler') return undefined
  return cache === 'json' || cache === 'yaml' ? cache : 'puppetdb'
}
