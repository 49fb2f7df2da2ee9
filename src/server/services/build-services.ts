import { bufferView } from '../../base/bytes/buffer-view.ts'
import { defineIssues, errorOf } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { FolderMounts } from '../../code/environments/mounts/folder-mounts.ts'
import type { JobLog } from '../../compiler/workers/job.ts'
import type { CompilePool } from '../../compiler/workers/pool.ts'
import { publicSettings } from '../../machine/settings/public-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { FactsDocument } from '../../model/facts.ts'
import { createIndirection, type Indirection, type IndirectionOptions } from '../../model/indirector/indirection.ts'
import {
  checkRoutes,
  type KnownTermini,
  parseRoutes,
  type Route,
  type Routes,
  routeFor,
} from '../../model/indirector/routes.ts'
import { terminusNames } from '../../model/indirector/terminus.ts'
import type { ReceivedReport } from '../../model/report.ts'
import type { ReadText } from '../../model/text-readings.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import type { ServerStore } from '../../store/exports/from-settings.ts'
import { BodyReader, ourselves } from '../bodies/body-reader.ts'
import { ClassReader } from '../classes/class-reader.ts'
import type { CatalogSeal } from '../sealing/catalog-seal.ts'
import { catalogOfCode } from '../termini/catalog/asked-code.ts'
import { jobInCode } from '../termini/catalog/compiler.ts'
import { requestedCatalog } from '../termini/catalog/requested.ts'
import { versionedCode } from '../termini/catalog/versioned-code.ts'
import { certificate, certificateRequest, certificateRevocationList } from '../termini/certificates/index.ts'
import type { FactsRequest, FactsServices, StoredFactsServices } from '../termini/facts/index.ts'
import { fileBucketFile } from '../termini/file-bucket-file/index.ts'
import { fileContent } from '../termini/file-content/index.ts'
import { fileMetadata } from '../termini/file-metadata/index.ts'
import type { NodeServices } from '../termini/node/index.ts'
import { type PlugIns, readPlugIns } from '../termini/plug-ins/plug-ins.ts'
import { type RemoteServices, remotePuppet } from '../termini/remote-puppet.ts'
import type { ReportServices } from '../termini/report/index.ts'
import { reportProcessors } from '../termini/report/processor.ts'
import { reportClient } from '../termini/report/report-client.ts'
import { TransportReader } from '../transports/transport-reader.ts'
import { Askings, askingsFolder } from './askings.ts'
import type { Services } from './services.ts'

const issues = defineIssues({
  CATALOGS_NOT_STORED: {
    text: () => 'storeconfigs_backend is puppetdb, and catalogs do not go there',
    hint: () => "Leave catalog_cache_terminus empty, and 'catalog' out of routes.yaml, or say puppetdb there.",
  },
})

/** Parts from which the services are put together. */
export interface ServiceParts {
  readonly settings: Settings
  readonly system: Pick<System, 'files' | 'commands' | 'now'>
  readonly environments: Environments
  /** Folders that are served beside environments. */
  readonly mounts?: FolderMounts | undefined
  readonly pool: CompilePool
  /** The store of exported resources; without a store storeconfigs is off. */
  readonly exports?: ExportStore | undefined
  /** The store and its writer; none without a store. */
  readonly store?: ServerStore | undefined
  readonly seal: CatalogSeal
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  /** Log of the messages of manifests while a node's catalog is compiled for a request. */
  logCompile(entry: JobLog, node: string, requestId: string | undefined): void
  /** Log of a report's lines, for the report processor `log`. */
  logReport(level: string, message: string, report: ReceivedReport): void
  /** Log of what plug-ins in Ruby log. */
  logPlugIn(level: string, message: string): void
  warn(message: string, error: unknown): void
}

/** Everything put together, by hand: routes.yaml over the settings decides which termini there are. */
export async function buildServices(parts: ServiceParts): Promise<Services> {
  const { settings, system, environments, pool, store } = parts
  const { files, commands } = system
  const plugIns = await readPlugIns(settings, files, parts.logPlugIn)
  const routes = await routesOf(settings.route_file, parts, plugIns)
  const asksOthers = new Set<string>()
  const route = routing(routes, asksOthers)
  const remote = () => remotePuppet(settings, files)
  const common: IndirectionOptions = { ttl: settings.runinterval * 1000, now: system.now, warn: parts.warn }
  const bodyReader = new BodyReader()
  const readText = readTextBy(bodyReader)
  const factsRoute = route('facts', settings.facts_terminus)
  const factsIndirection = createIndirection(plugIns.facts, factsServices(parts, bodyReader), factsRoute, common)
  const factsOfNodes = softly(factsIndirection, parts, asksOthers.has('facts'))
  const nodeIndirection = createIndirection(
    plugIns.node,
    { facts: factsOfNodes, system: { files, commands }, settings, store, readText, remote },
    route('node', settings.node_terminus, settings.node_cache_terminus),
    common,
  )
  const keptIn = settings.catalog_cache_terminus || (store && 'puppetdb')
  const catalogRoute = route('catalog', settings.catalog_terminus, keptIn)
  const storesCatalogs = [catalogRoute.cache, catalogRoute.terminus].includes('puppetdb')
  const exports = exportsApart(parts, storesCatalogs)
  const reports = reportServices(parts, plugIns, readText)
  const catalogServices = {
    ...{ environments, pool, exports, storesCatalogs, store, readText, remote },
    ...{ facts: factsIndirection, node: nodeIndirection },
    versionedCode: versionedCode(settings),
    system: { files, commands },
    serverFacts: parts.serverFacts,
    publicSettings: publicSettings(settings),
    settings,
    log: parts.logCompile,
  }
  return {
    ...{ environments, pool, versionedCode: catalogServices.versionedCode },
    ...{ facts: factsIndirection, node: nodeIndirection },
    catalog: createIndirection(plugIns.catalog, catalogServices, catalogRoute, common),
    report: createIndirection(plugIns.report, reports, route('report', 'processor'), common),
    ...fileIndirections(parts, { remote, readText }, route, common),
    asksOthers,
    bodyReader,
    classReader: new ClassReader(),
    transportReader: new TransportReader(environments),
    kept: { facts: inStoreAlone(factsRoute), exports: exportsInStore(settings) && storesCatalogs },
    recorder: store?.recorder,
    plugIns,
    seal: parts.seal,
    requestedCatalog: (asked) => requestedCatalog(asked, catalogServices),
    catalogOfCode: (asked) => catalogOfCode(asked, catalogServices),
    jobInCode: (request, code) => jobInCode(request, code, catalogServices),
    askings: askingsOf(parts, inStoreAlone(factsRoute)),
    reportProcessors: reportProcessors(settings.reports),
    routes,
    readRoutes: () => routesOf(settings.route_file, parts, plugIns),
  }
}

/** Routes by routes.yaml over the settings; indirections that ask another server are noted. */
function routing(routes: Routes, asksOthers: Set<string>) {
  return (name: string, terminus: string, cache?: string): Route => {
    const chosen = routeFor(routes, name, { terminus, cache })
    if (chosen.terminus === 'rest' || chosen.cache === 'rest') asksOthers.add(name)
    return chosen
  }
}

/** Files of environments and mounts, and those of the bucket. */
function fileIndirections(
  { settings, system: { files, commands }, environments, mounts }: ServiceParts,
  asking: RemoteServices & { readonly readText: ReadText },
  route: (name: string, terminus: string) => Route,
  common: IndirectionOptions,
): Pick<Services, 'fileMetadata' | 'fileContent' | 'fileBucketFile'> {
  const served = { environments, mounts, ...asking }
  const bucket = { files, commands, settings, remote: asking.remote }
  return {
    fileMetadata: createIndirection(fileMetadata, served, route('file_metadata', 'file_server'), common),
    fileContent: createIndirection(fileContent, served, route('file_content', 'file_server'), common),
    fileBucketFile: createIndirection(fileBucketFile, bucket, route('file_bucket_file', 'file'), common),
  }
}

/** The last requests of nodes, for the gate and for compiling ahead. */
function askingsOf({ settings, system, warn }: ServiceParts, holdsFacts: boolean): Askings {
  return new Askings({
    folder: askingsFolder(settings),
    files: system.files,
    holdsFacts,
    ttl: settings.node_ttl * 1000,
    now: () => system.now(),
    warn: (error) => warn('How nodes ask is not kept for after a restart', error),
  })
}

/** Long texts of models are read on the thread of bodies. */
function readTextBy(reader: BodyReader): ReadText {
  return async (name, bytes, argument) => {
    const { value } = await reader.read(name, bufferView(bytes), argument, ourselves)
    return value as Awaited<ReturnType<ReadText>> as never
  }
}

function factsServices({ settings, system, store }: ServiceParts, reader: BodyReader): FactsServices {
  const read = async (text: Buffer) => (await reader.read('facts', text, '', ourselves)).value
  const remote = () => remotePuppet(settings, system.files)
  const common = { files: system.files, settings, read, readText: readTextBy(reader), remote }
  if (!store) return common
  const stored: StoredFactsServices = {
    ...store,
    environment: settings.environment,
    async payload({ name, values }, sending) {
      return (await reader.read('factsPayload', Buffer.from(values), printJson({ name, sending }), ourselves)).value
    },
    readRows: async (name, rows) => (await reader.read('factRows', Buffer.from(rows), name, ourselves)).value,
  }
  return { ...common, stored }
}

function reportServices(
  { settings, system: { files }, store, logReport: log }: ServiceParts,
  { reports: own }: PlugIns,
  readText: ReadText,
): ReportServices {
  return { files, readText, settings, store, own, web: () => reportClient(settings, files), log }
}

/** True where no files keep the same beside the store. */
function inStoreAlone({ terminus, cache }: Route): boolean {
  return terminus === 'puppetdb' && cache !== 'json' && cache !== 'yaml'
}

function exportsInStore({ storeconfigs, storeconfigs_backend: backend }: Settings): boolean {
  return storeconfigs && backend === 'puppetdb'
}

/** Facts for the description of a node: it is told without them where the store is away, or another server does not tell them. */
function softly(
  facts: Indirection<FactsDocument, FactsRequest>,
  { store, warn }: ServiceParts,
  asksOthers: boolean,
): NodeServices['facts'] {
  if (!store && !asksOthers) return facts
  return {
    find: (request) =>
      facts.find(request).catch((error: unknown) => {
        warn(`The facts of ${request.key} could not be found`, error)
        return undefined
      }),
  }
}

/** The exported resources that are kept apart from catalogs; none where they come into the store with them. */
function exportsApart({ settings, exports, warn }: ServiceParts, storesCatalogs: boolean): ExportStore | undefined {
  if (!exportsInStore(settings)) return exports
  if (!storesCatalogs) warn('Nothing that nodes export is stored', errorOf(issues.CATALOGS_NOT_STORED, {}))
  return undefined
}

/** Termini of indirections without a choice, by Puppet's names: the compiler itself does their work. */
const withoutChoice: KnownTermini = { resource: ['ral', 'puppetdb'], data_binding: ['hiera'] }

function knownTermini({ catalog, facts, node, report }: PlugIns): KnownTermini {
  const ofCertificates = [certificate, certificateRequest, certificateRevocationList]
  const choices = [catalog, facts, node, report, fileMetadata, fileContent, fileBucketFile, ...ofCertificates]
  return { ...Object.fromEntries(choices.map((each) => [each.name, terminusNames(each)])), ...withoutChoice }
}

/** The routes of routes.yaml. Throws INVALID_ROUTES. */
async function routesOf(file: string, { system }: ServiceParts, plugIns: PlugIns): Promise<Routes> {
  const text = await system.files.readText(file)
  const routes = text === undefined ? {} : parseRoutes(text, file, 'server', 'master')
  checkRoutes(routes, file, knownTermini(plugIns))
  return routes
}
