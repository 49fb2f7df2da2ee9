import type { FastifyInstance } from 'fastify'
import type { NodeStore } from '../../store/node-store.ts'
import { adminRoutes } from './admin.ts'
import { archiveRoutes } from './archive.ts'
import { commandRoutes } from './commands.ts'
import { metaRoutes } from './meta.ts'
import { queryRoutes } from './query.ts'

/** Dependencies of the `/pdb` routes. */
export interface PdbServices {
  readonly store: NodeStore
  now(): number
}

/** Adds all routes of `/pdb`: PuppetDB's HTTP API on our store. protocol.md 16. */
export function pdb(server: FastifyInstance, services: PdbServices): void {
  commandRoutes(server, services)
  queryRoutes(server, services)
  metaRoutes(server, services)
  archiveRoutes(server, services)
  if (services.store.upkeep) adminRoutes(server, services.store.upkeep)
}
