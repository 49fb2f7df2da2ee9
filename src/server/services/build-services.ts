import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import { getRoute, type IndirectionRoute, type Routes } from '../../model/indirector/routes.ts'
import type { ReadText } from '../../model/model-readers.ts'
import { BodyReader, serverClient } from '../bodies/body-reader.ts'
import { ClassReader } from '../classes/class-reader.ts'
import { readPlugIns } from '../termini/plug-ins/plug-ins.ts'
import { createRemotePuppet } from '../termini/remote-puppet.ts'
import { listActiveProcessors } from '../termini/report/processor.ts'
import { createReportClient } from '../termini/report/report-client.ts'
import { TransportReader } from '../transports/transport-reader.ts'
import { AgentRequests, getRequestsFolder } from './agent-requests.ts'
import { createCatalogIndirection } from './catalogs.ts'
import { createFactsIndirection, createOptionalFacts } from './facts.ts'
import { createFileIndirections } from './files.ts'
import { readRoutesFile } from './routes-file.ts'
import type { IndirectionParts, ServiceParts } from './service-parts.ts'
import type { Services } from './services.ts'

/** Creates the services. The termini are those in routes.yaml, otherwise those in the settings. */
export async function buildServices(parts: ServiceParts): Promise<Services> {
  const { settings, system, environments, pool, store, seal } = parts
  const plugIns = await readPlugIns(settings, system.files, parts.logPlugIn)
  const readRoutes = () => readRoutesFile(settings.route_file, system.files, plugIns)
  const routes = await readRoutes()
  const asksOthers = new Set<string>()
  const bodyReader = new BodyReader()
  const shared: IndirectionParts = {
    ...{ parts, plugIns, bodyReader },
    common: { ttl: settings.runinterval * 1000, now: system.now, warn: parts.warn },
    readText: createTextReader(bodyReader),
    remote: () => createRemotePuppet(settings, system.files),
    route: createRouter(routes, asksOthers),
  }
  const { facts, inStoreAlone } = createFactsIndirection(shared)
  const node = createNodeIndirection(shared, createOptionalFacts(facts, parts, asksOthers.has('facts')))
  const { exportsInStore, ...ofCatalogs } = createCatalogIndirection(shared, { facts, node })
  return {
    ...{ environments, pool, seal, plugIns, routes, readRoutes, asksOthers, facts, node, bodyReader },
    ...ofCatalogs,
    report: createReportIndirection(shared),
    ...createFileIndirections(shared),
    classReader: new ClassReader(),
    transportReader: new TransportReader(environments),
    kept: { facts: inStoreAlone, exports: exportsInStore },
    recorder: store?.recorder,
    askings: createAgentRequests(parts, inStoreAlone),
    reportProcessors: listActiveProcessors(settings.reports),
  }
}

/**
 * Routes from routes.yaml, otherwise from the settings. Adds indirections that use another server
 * to `asksOthers`.
 */
function createRouter(routes: Routes, asksOthers: Set<string>) {
  return (name: string, terminus: string, cache?: string): IndirectionRoute => {
    const chosen = getRoute(routes, name, { terminus, cache })
    if (chosen.terminus === 'rest' || chosen.cache === 'rest') asksOthers.add(name)
    return chosen
  }
}

function createNodeIndirection(
  { parts: { settings, system, store }, plugIns, readText, remote, route, common }: IndirectionParts,
  facts: ReturnType<typeof createOptionalFacts>,
): Services['node'] {
  const { files, commands } = system
  return createIndirection(
    plugIns.node,
    { facts, system: { files, commands }, settings, store, readText, remote },
    route('node', settings.node_terminus, settings.node_cache_terminus),
    common,
  )
}

function createReportIndirection({ parts, plugIns, readText, route, common }: IndirectionParts): Services['report'] {
  const { settings, system, store, logReport: log } = parts
  const { files } = system
  const services = {
    ...{ files, readText, settings, store, log },
    own: plugIns.reports,
    web: () => createReportClient(settings, files),
  }
  return createIndirection(plugIns.report, services, route('report', 'processor'), common)
}

/** Last requests of the nodes, for the gate and for compiling ahead. */
function createAgentRequests({ settings, system, warn }: ServiceParts, holdsFacts: boolean): AgentRequests {
  return new AgentRequests({
    folder: getRequestsFolder(settings),
    files: system.files,
    holdsFacts,
    ttl: settings.node_ttl * 1000,
    now: () => system.now(),
    warn: (error) => warn('The request parameters of nodes will be lost at a restart', error),
  })
}

/** Returns a function that parses long texts of models on the body reader's thread. */
function createTextReader(reader: BodyReader): ReadText {
  return async (name, bytes, argument) => {
    const { value } = await reader.read(name, toBufferView(bytes), argument, serverClient)
    return value as Awaited<ReturnType<ReadText>> as never
  }
}
