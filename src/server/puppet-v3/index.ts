import type { FastifyInstance } from 'fastify'
import type { Services } from '../services/services.ts'
import { addCatalogRoutes, type CatalogOptions } from './catalog.ts'
import { addCompileRoutes } from './compile.ts'
import { addCustomIndirectionRoutes } from './custom-indirections.ts'
import { addEnvironmentClassesRoutes } from './environment-classes.ts'
import { addEnvironmentModulesRoutes } from './environment-modules.ts'
import { addEnvironmentTransportsRoutes } from './environment-transports.ts'
import { addEnvironmentsRoutes } from './environments.ts'
import { addFactsRoutes } from './facts.ts'
import { addFileBucketRoutes } from './file-bucket-file.ts'
import { addFileContentRoutes } from './file-content.ts'
import { addFileMetadataRoutes } from './file-metadata.ts'
import { addNodeRoutes } from './node.ts'
import { addPlanRoutes } from './plans.ts'
import { addReportRoutes } from './report.ts'
import { refuseRequestLoops } from './request-loops.ts'
import { addStaticFileRoutes, type StaticFileOptions } from './static-file-content.ts'
import { addTaskRoutes } from './tasks.ts'

/** Options of the `/puppet/v3` routes. */
export interface PuppetV3Options extends CatalogOptions, StaticFileOptions {
  readonly environmentpath: readonly string[]
}

/** Adds all routes of `/puppet/v3`. */
export function addPuppetV3Routes(server: FastifyInstance, services: Services, options: PuppetV3Options): void {
  refuseRequestLoops(server, services.asksOthers)
  addCatalogRoutes(server, services, options)
  addCompileRoutes(server, services, options)
  addNodeRoutes(server, services, options)
  addFactsRoutes(server, services)
  addReportRoutes(server, services)
  addFileMetadataRoutes(server, services)
  addFileContentRoutes(server, services)
  addStaticFileRoutes(server, services, options)
  addFileBucketRoutes(server, services)
  addEnvironmentsRoutes(server, services, options)
  addEnvironmentModulesRoutes(server, services)
  addEnvironmentClassesRoutes(server, services)
  addEnvironmentTransportsRoutes(server, services)
  addTaskRoutes(server, services)
  addPlanRoutes(server, services)
  addCustomIndirectionRoutes(server, services)
}
