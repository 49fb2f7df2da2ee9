import type { AddressInfo } from 'node:net'
import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { descriptorLimit } from '../../machine/system/descriptor-limit.ts'
import { closerOf } from '../https/close-http.ts'
import { connectionBounds } from '../https/connections.ts'
import { createHttpServer } from '../https/http.ts'
import { listen } from '../https/listen.ts'
import { MoreListeners } from '../https/more-listeners.ts'
import { secureContextOptions } from '../https/tls-context.ts'
import { shareOfPdbPorts } from '../pdb/ports.ts'
import { clients } from './clients.ts'
import { pdbPorts } from './endpoints/pdb.ts'
import { identity } from './identity.ts'
import { part } from './part.ts'

/** The main port, with the routes of all earlier parts in the table; not yet listening. */
export const http = part('http', [clients, identity], async ({ settings, opened, clients, identity }) => {
  const parts = opened()
  const entrances = parts.flatMap(({ entrance }) => entrance ?? [])
  const descriptors = (descriptorLimit() ?? Number.POSITIVE_INFINITY) * (1 - shareOfPdbPorts(settings))
  const http: FastifyInstance = createHttpServer({
    ...clients,
    legacyRoutes: settings.legacy_routes,
    connections: connectionBounds(settings, descriptors),
    entrance(request) {
      for (const entrance of entrances) {
        const refusal = entrance(request)
        if (refusal) return refusal
      }
      return undefined
    },
  })
  for (const { routes } of parts) await routes?.(http)
  const { server } = http as unknown as { readonly server: Server }
  identity.addPort(async (renewed) => () => server.setSecureContext(secureContextOptions(renewed)))
  const more = new MoreListeners(http.server)
  const closeHttp = closerOf(http)
  return { value: { server: http.server, http, more }, close: () => Promise.all([more.close(), closeHttp()]) }
})

/** Opens the main port and PuppetDB's ports. */
export const listening = part('listening', [http, pdbPorts], async ({ settings, http: { http, more }, pdbPorts }) => {
  await listen(http, settings)
  await pdbPorts.listen()
  void more.add(budgets.connection.listeners.bound)
  return { value: http.server.address() as AddressInfo }
})
