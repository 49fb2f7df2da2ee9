import type { Logger } from 'pino'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { toPinoLevel } from '../logger.ts'
import { createServerFacts } from '../puppet-v3/server-facts.ts'
import { createRoutesReload } from '../reload/routes.ts'
import { buildServices } from '../services/build-services.ts'
import type { ServiceLogs } from '../services/service-parts.ts'
import { moveFilesToStore } from '../store-migration.ts'
import { sealPart } from './catalog-seal.ts'
import { environmentsPart } from './environments.ts'
import { mountsPart } from './mounts.ts'
import { definePart } from './part.ts'
import { poolPart } from './pool.ts'
import { exportsPart, storePart } from './store.ts'

/** The indirections, and the threads that parse bodies and classes. */
export const servicesPart = definePart(
  'services',
  [environmentsPart, mountsPart, poolPart, exportsPart, storePart, sealPart],
  async ({ settings, system, log, environments: { environments }, ...parts }) => {
    const services = await buildServices({
      ...{ ...parts, settings, system, environments, ...createServiceLogs(log) },
      serverFacts: createServerFacts(settings),
    })
    const { bodyReader, classReader, transportReader, plugIns } = services
    const owned = [bodyReader, classReader, transportReader, plugIns]
    return {
      value: services,
      reload: createRoutesReload(services, settings.route_file, log),
      close: () => Promise.all(owned.map((each) => each.close())),
    }
  },
)

/** Moves facts and exports from files into the store. */
export const movedFilesPart = definePart(
  'movedFiles',
  [servicesPart, storePart],
  async ({ settings, system, log, services, store }) => {
    if (!store) return {}
    const { kept, bodyReader: reader } = services
    const say = (level: 'info' | 'warn', message: string) => log[level](message)
    await moveFilesToStore({ settings, files: system.files, store: store.store, reader, kept, say })
    return {}
  },
)

function createServiceLogs(log: Logger): ServiceLogs {
  return {
    logCompile: ({ level, message, source, file, line }, node, request) =>
      log[toPinoLevel(level)]({ node, request, source, file, line }, message),
    logReport: (level, message) => log[toPinoLevel(level)](message),
    logPlugIn: (level, message) => log[toPinoLevel(level)](message),
    warn: (message, error) => log.warn(`${message}: ${formatError(error)}`),
  }
}
