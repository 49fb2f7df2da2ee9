import type { FastifyInstance } from 'fastify'
import { pdb as addPdb } from '../../pdb/index.ts'
import { openPdbPorts } from '../../pdb/ports.ts'
import { clients } from '../clients.ts'
import { identity } from '../identity.ts'
import { part } from '../part.ts'
import { store } from '../store.ts'
import { jolokia } from './jolokia.ts'
import { status } from './status.ts'

/** Routes of `/pdb`; empty without a store. */
export const pdb = part('pdb', [store], ({ system, store }) => {
  const routes = (http: FastifyInstance) => {
    if (store) addPdb(http, { store: store.store, now: () => system.now() })
  }
  return { value: { routes }, routes }
})

/** PuppetDB's own ports, not yet listening, with the routes of `/pdb`, status and metrics. */
export const pdbPorts = part(
  'pdbPorts',
  [store, clients, identity, pdb, status, jolokia],
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
