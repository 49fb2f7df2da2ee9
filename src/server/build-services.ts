import type { ExactJson } from '../base/exact-json.ts'
import type { JobLog } from '../compiler/workers/job.ts'
import type { CompilePool } from '../compiler/workers/pool.ts'
import type { Environments } from '../environments/environments.ts'
import { createIndirection, type IndirectionOptions } from '../indirector/indirection.ts'
import { checkRoutes, type KnownTermini, parseRoutes, type Route, type Routes, routeFor } from '../indirector/routes.ts'
import { terminusNames } from '../indirector/terminus.ts'
import type { ReceivedReport } from '../model/report.ts'
import { publicSettings } from '../settings/public-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { ExportStore } from '../store/exports/export-store.ts'
import type { System } from '../system/system.ts'
import { catalog } from '../termini/catalog/index.ts'
import { versionedCode } from '../termini/catalog/versioned-code.ts'
import { facts } from '../termini/facts/index.ts'
import { fileBucketFile } from '../termini/file-bucket-file/index.ts'
import { fileContent } from '../termini/file-content/index.ts'
import { fileMetadata } from '../termini/file-metadata/index.ts'
import { node } from '../termini/node/index.ts'
import { report } from '../termini/report/index.ts'
import { reportProcessors } from '../termini/report/processor.ts'
import { BodyReader, ourselves } from './bodies/body-reader.ts'
import { ClassReader } from './class-reader.ts'
import type { Services } from './services.ts'

/** Parts from which the services are put together. */
export interface ServiceParts {
  readonly settings: Settings
  readonly system: Pick<System, 'files' | 'commands' | 'now'>
  readonly environments: Environments
  readonly pool: CompilePool
  /** The store of exported resources; without a store storeconfigs is off. */
  readonly exports?: ExportStore | undefined
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  /** Log of the messages of manifests while a node's catalog is compiled. */
  logCompile(entry: JobLog, node: string): void
  /** Log of a report's lines, for the report processor `log`. */
  logReport(level: string, message: string, report: ReceivedReport): void
  warn(message: string, error: unknown): void
}

/** Everything put together, by hand: routes.yaml over the settings decides which termini there are. */
export async function buildServices(parts: ServiceParts): Promise<Services> {
  const { settings, system, environments, pool, exports } = parts
  const { files, commands } = system
  const routes = await routesOf(settings.route_file, parts)
  const route = (name: string, terminus: string, cache?: string): Route => routeFor(routes, name, { terminus, cache })
  const common: IndirectionOptions = { ttl: settings.runinterval * 1000, now: system.now, warn: parts.warn }

  const bodyReader = new BodyReader()
  const factsIndirection = createIndirection(
    facts,
    { files, settings, read: async (text) => (await bodyReader.read('facts', text, '', ourselves)).value },
    route('facts', settings.facts_terminus),
    common,
  )
  const nodeIndirection = createIndirection(
    node,
    { facts: factsIndirection, system: { files, commands }, settings },
    route('node', settings.node_terminus, settings.node_cache_terminus),
    common,
  )
  const versioned = versionedCode(settings)
  const catalogServices = {
    versionedCode: versioned,
    environments,
    facts: factsIndirection,
    node: nodeIndirection,
    pool,
    exports,
    system: { files, commands },
    serverFacts: parts.serverFacts,
    publicSettings: publicSettings(settings),
    settings,
    log: parts.logCompile,
  }
  return {
    environments,
    pool,
    versionedCode: versioned,
    facts: factsIndirection,
    node: nodeIndirection,
    catalog: createIndirection(
      catalog,
      catalogServices,
      route('catalog', settings.catalog_terminus, settings.catalog_cache_terminus),
      common,
    ),
    report: createIndirection(report, { files, settings, log: parts.logReport }, route('report', 'processor'), common),
    fileMetadata: createIndirection(fileMetadata, { environments }, route('file_metadata', 'file_server'), common),
    fileContent: createIndirection(fileContent, { environments }, route('file_content', 'file_server'), common),
    fileBucketFile: createIndirection(
      fileBucketFile,
      { files, commands, settings },
      route('file_bucket_file', 'file'),
      common,
    ),
    bodyReader,
    classReader: new ClassReader(),
    reportProcessors: reportProcessors(settings.reports),
  }
}

/** Termini of indirections without a choice, by Puppet's names: the compiler itself does their work. */
const withoutChoice: KnownTermini = { resource: ['ral'], data_binding: ['hiera'] }

const knownTermini: KnownTermini = {
  ...Object.fromEntries(
    [catalog, facts, node, report, fileMetadata, fileContent, fileBucketFile].map((each) => [
      each.name,
      terminusNames(each),
    ]),
  ),
  ...withoutChoice,
}

/** The routes of routes.yaml. Throws INVALID_ROUTES. */
async function routesOf(file: string, { system }: ServiceParts): Promise<Routes> {
  const text = await system.files.readText(file)
  const routes = text === undefined ? {} : parseRoutes(text, file, 'server', 'master')
  checkRoutes(routes, file, knownTermini)
  return routes
}
