import { fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { issues } from '../../model/indirector/issues.ts'
import { checkRoutes, type KnownTermini, parseRoutes, type Routes, routeFor } from '../../model/indirector/routes.ts'

/** The settings that say where a node without a server tells what it does. */
export type MasterlessSettings = Pick<
  Settings,
  'route_file' | 'catalog_cache_terminus' | 'storeconfigs' | 'storeconfigs_backend'
>

/** Destinations of what a node without a server learns of itself, by their termini; `undefined` is none. */
export interface MasterlessRoutes {
  readonly facts: 'puppetdb' | 'rest' | undefined
  readonly catalog: 'puppetdb' | 'json' | 'yaml' | undefined
  readonly report: 'processor' | 'rest'
}

/** The terminus of each model: on this machine, always. */
const sources: Readonly<Record<string, string>> = { facts: 'facter', catalog: 'compiler', resource: 'ral' }

/** Termini by indirection. `puppetdb_apply` is Puppet's name for one that only ever saves. */
const known: KnownTermini = {
  facts: ['facter', 'puppetdb', 'puppetdb_apply', 'store_configs', 'rest'],
  catalog: ['compiler', 'puppetdb', 'store_configs', 'json', 'yaml'],
  report: ['processor', 'rest', 'yaml'],
  resource: ['ral', 'puppetdb', 'store_configs'],
  node: ['plain', 'exec', 'puppetdb', 'memory'],
  data_binding: ['hiera', 'none'],
}

/**
 * The routes of `apply` in routes.yaml, over those of the settings. Throws INVALID_ROUTES.
 *
 * Puppet asks a cache first: with `json` it applies the catalog of the first run for ever, and with storeconfigs the facts
 * that PuppetDB has of the node. Here caches are only told.
 */
export async function masterlessRoutes(
  settings: MasterlessSettings,
  files: Pick<Files, 'readText'>,
): Promise<MasterlessRoutes> {
  const file = settings.route_file
  const text = await files.readText(file)
  const routes = text === undefined ? {} : parseRoutes(text, file, 'apply')
  checkRoutes(routes, file, known)
  checkSources(routes, file)
  const stored = settings.storeconfigs && settings.storeconfigs_backend === 'puppetdb' ? 'puppetdb' : ''
  const cacheOf = (name: string, cache: string) => routeFor(routes, name, { terminus: sources[name]!, cache }).cache
  return {
    facts: factsPlace(cacheOf('facts', stored)),
    catalog: catalogPlace(cacheOf('catalog', settings.catalog_cache_terminus || stored)),
    report: routeFor(routes, 'report', { terminus: 'processor' }).terminus === 'rest' ? 'rest' : 'processor',
  }
}

function checkSources(routes: Routes, file: string): void {
  for (const [indirection, { terminus }] of Object.entries(routes)) {
    const only = Object.hasOwn(sources, indirection) ? sources[indirection]! : undefined
    if (only === undefined || terminus === undefined || terminus === only) continue
    const reason = `The terminus of ${indirection} is ${only} where there is no server`
    fail(issues.INVALID_ROUTES, { file, reason, hint: `Say '${terminus}' as its cache, to have it told.` })
  }
}

function factsPlace(cache: string | undefined): MasterlessRoutes['facts'] {
  if (cache === undefined || cache === 'facter') return undefined
  return cache === 'rest' ? 'rest' : 'puppetdb'
}

function catalogPlace(cache: string | undefined): MasterlessRoutes['catalog'] {
  if (cache === undefined || cache === 'compiler') return undefined
  return cache === 'json' || cache === 'yaml' ? cache : 'puppetdb'
}
