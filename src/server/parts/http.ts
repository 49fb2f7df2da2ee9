import type { AddressInfo } from 'node:net'
import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { getDescriptorLimit } from '../../machine/system/descriptor-limit.ts'
import { AdditionalListeners } from '../https/additional-listeners.ts'
import { createConnectionBounds } from '../https/connections.ts'
import { createHttpServer } from '../https/http.ts'
import { listenOnServerPort } from '../https/listen.ts'
import { createServerCloser } from '../https/server-shutdown.ts'
import { getSecureContextOptions } from '../https/tls-context.ts'
import { computePdbShare } from '../pdb/ports.ts'
import { clientsPart } from './client-options.ts'
import { pdbPortsPart } from './endpoints/pdb.ts'
import { identityPart } from './identity.ts'
import { definePart } from './part.ts'

/** The main port, with the routes of all earlier parts in the table; not yet listening. */
export const httpPart = definePart(
  'http',
  [clientsPart, identityPart],
  async ({ settings, opened, clients, identity }) => {
    const parts = opened()
    const entrances = parts.flatMap(({ entrance }) => entrance ?? [])
    const descriptors = (getDescriptorLimit() ?? Number.POSITIVE_INFINITY) * (1 - computePdbShare(settings))
    const http: FastifyInstance = createHttpServer({
      ...clients,
      legacyRoutes: settings.legacy_routes,
      connections: createConnectionBounds(settings, descriptors),
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
    identity.addPort(async (renewed) => () => server.setSecureContext(getSecureContextOptions(renewed)))
    const more = new AdditionalListeners(http.server)
    const closeHttp = createServerCloser(http)
    return { value: { server: http.server, http, more }, close: () => Promise.all([more.close(), closeHttp()]) }
  },
)

/** Opens the main port and PuppetDB's ports. */
export const listeningPart = definePart(
  'listening',
  [httpPart, pdbPortsPart],
  async ({ settings, http: { http, more }, pdbPorts }) => {
    await listenOnServerPort(http, settings)
    await pdbPorts.listen()
    await more.add(budgets.connection.listeners.bound)
    return { value: http.server.address() as AddressInfo }
  },
)
