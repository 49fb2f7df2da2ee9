import type { FastifyInstance } from 'fastify'
import { addPdbRoutes as addPdb } from '../../pdb/index.ts'
import { openPdbPorts } from '../../pdb/ports.ts'
import { clientsPart } from '../client-options.ts'
import { identityPart } from '../identity.ts'
import { definePart } from '../part.ts'
import { storePart } from '../store.ts'
import { jolokiaPart } from './jolokia.ts'
import { statusPart } from './status.ts'

/** Routes of `/pdb`; empty without a store. */
export const pdbPart = definePart('pdb', [storePart], ({ system, store }) => {
  const routes = (http: FastifyInstance) => {
    if (store) addPdb(http, { store: store.store, now: () => system.now() })
  }
  return { value: { routes }, routes }
})

/** PuppetDB's own ports, not yet listening, with the routes of `/pdb`, status and metrics. */
export const pdbPortsPart = definePart(
  'pdbPorts',
  [storePart, clientsPart, identityPart, pdbPart, statusPart, jolokiaPart],
  async ({ settings, system, store, clients, identity, pdb, status, jolokia }) => {
    const ports = await openPdbPorts({
      settings,
      store: store?.store,
      files: system.files,
      http: clients,
      routes(http) {
        for (const { routes } of [pdb, status, jolokia]) routes(http)
      },
    })
    identity.addPort((renewed) => ports.prepare(renewed))
    return { value: ports, close: () => ports.close() }
  },
)
