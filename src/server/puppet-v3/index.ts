import type { FastifyInstance } from 'fastify'
import type { Services } from '../services/services.ts'
import { type CatalogOptions, catalogRoutes } from './catalog.ts'
import { compileRoutes } from './compile.ts'
import { environmentClassesRoutes } from './environment-classes.ts'
import { environmentModulesRoutes } from './environment-modules.ts'
import { environmentTransportsRoutes } from './environment-transports.ts'
import { environmentsRoutes } from './environments.ts'
import { factsRoutes } from './facts.ts'
import { fileBucketFileRoutes } from './file-bucket-file.ts'
import { fileContentRoutes } from './file-content.ts'
import { fileMetadataRoutes } from './file-metadata.ts'
import { nodeRoutes } from './node.ts'
import { ownIndirectionRoutes } from './own-indirections.ts'
import { planRoutes } from './plans.ts'
import { refuseCircles } from './refuse-circles.ts'
import { reportRoutes } from './report.ts'
import { type StaticFileOptions, staticFileContentRoutes } from './static-file-content.ts'
import { taskRoutes } from './tasks.ts'

/** Options of the `/puppet/v3` routes. */
export interface PuppetV3Options extends CatalogOptions, StaticFileOptions {
  readonly environmentpath: readonly string[]
}

/** Adds all routes of `/puppet/v3`. */
export function puppetV3(server: FastifyInstance, services: Services, options: PuppetV3Options): void {
  refuseCircles(server, services.asksOthers)
  catalogRoutes(server, services, options)
  compileRoutes(server, services, options)
  nodeRoutes(server, services, options)
  factsRoutes(server, services)
  reportRoutes(server, services)
  fileMetadataRoutes(server, services)
  fileContentRoutes(server, services)
  staticFileContentRoutes(server, services, options)
  fileBucketFileRoutes(server, services)
  environmentsRoutes(server, services, options)
  environmentModulesRoutes(server, services)
  environmentClassesRoutes(server, services)
  environmentTransportsRoutes(server, services)
  taskRoutes(server, services)
  planRoutes(server, services)
  ownIndirectionRoutes(server, services)
}
