import type { FastifyInstance } from 'fastify'
import type { NodeStore } from '../../store/node-store.ts'
import { adminRoutes } from './admin.ts'
import { archiveRoutes } from './archive.ts'
import { commandRoutes } from './commands.ts'
import { metaRoutes } from './meta.ts'
import { queryRoutes } from './query.ts'

/** Sources of the routes of `/pdb`. */
export interface PdbServices {
  readonly store: NodeStore
  now(): number
}

/** All of `/pdb`: PuppetDB's wire, in front of our store. protocol.md 16. */
export function pdb(server: FastifyInstance, services: PdbServices): void {
  commandRoutes(server, services)
  queryRoutes(server, services)
  metaRoutes(server, services)
  archiveRoutes(server, services)
  if (services.store.upkeep) adminRoutes(server, services.store.upkeep)
}
