import type { Logger } from 'pino'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { pinoLevel } from '../logger.ts'
import { moveFiles } from '../move-files.ts'
import { serverFacts } from '../puppet-v3/server-facts.ts'
import { routesReload } from '../reload/routes.ts'
import { buildServices } from '../services/build-services.ts'
import type { ServiceLogs } from '../services/service-parts.ts'
import { environments } from './environments.ts'
import { mounts } from './mounts.ts'
import { part } from './part.ts'
import { pool } from './pool.ts'
import { seal } from './seal.ts'
import { exports, store } from './store.ts'

/** The indirections, and the threads that parse bodies and classes. */
export const services = part(
  'services',
  [environments, mounts, pool, exports, store, seal],
  async ({ settings, system, log, environments: { environments }, ...parts }) => {
    const services = await buildServices({
      ...{ ...parts, settings, system, environments, ...serviceLogs(log) },
      serverFacts: serverFacts(settings.certname),
    })
    const { bodyReader, classReader, transportReader, plugIns } = services
    const owned = [bodyReader, classReader, transportReader, plugIns]
    return {
      value: services,
      reload: routesReload(services, settings.route_file, log),
      close: () => Promise.all(owned.map((each) => each.close())),
    }
  },
)

/** Moves facts and exports from files into the store. */
export const movedFiles = part('movedFiles', [services, store], async ({ settings, system, log, services, store }) => {
  if (!store) return {}
  const { kept, bodyReader: reader } = services
  const say = (level: 'info' | 'warn', message: string) => log[level](message)
  await moveFiles({ settings, files: system.files, store: store.store, reader, kept, say })
  return {}
})

function serviceLogs(log: Logger): ServiceLogs {
  return {
    logCompile: ({ level, message, source, file, line }, node, request) =>
      log[pinoLevel(level)]({ node, request, source, file, line }, message),
    logReport: (level, message) => log[pinoLevel(level)](message),
    logPlugIn: (level, message) => log[pinoLevel(level)](message),
    warn: (message, error) => log.warn(`${message}: ${errorText(error)}`),
  }
}
