import type { FastifyInstance } from 'fastify'
import type { NodeStore } from '../../store/node-store.ts'
import { addAdminRoutes } from './admin.ts'
import { addArchiveRoutes } from './archive.ts'
import { addCommandRoutes } from './commands.ts'
import { addMetaRoutes } from './meta.ts'
import { addQueryRoutes } from './query.ts'

/** Dependencies of the `/pdb` routes. */
export interface PdbServices {
  readonly store: NodeStore
  now(): number
}

/** Adds all routes of `/pdb`: PuppetDB's HTTP API on our store. protocol.md 16. */
export function addPdbRoutes(server: FastifyInstance, services: PdbServices): void {
  addCommandRoutes(server, services)
  addQueryRoutes(server, services)
  addMetaRoutes(server, services)
  addArchiveRoutes(server, services)
  if (services.store.upkeep) addAdminRoutes(server, services.store.upkeep)
}
