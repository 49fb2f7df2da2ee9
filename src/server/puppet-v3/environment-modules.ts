import type { FastifyInstance } from 'fastify'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { getModuleMetadata, type Module } from '../../code/environments/modules.ts'
import { jsonMedia } from '../http/negotiation.ts'
import type { Services } from '../services/services.ts'
import { findPlainEnvironment } from './environment-parameter.ts'

/** `GET /puppet/v3/environment_modules[?environment=ENV]`. protocol.md 10. */
export function addEnvironmentModulesRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/environment_modules', async (request, reply) => {
    const { query } = request.call
    if (query.has('environment')) {
      const environment = await findPlainEnvironment(environments, query)
      return reply.type(jsonMedia.contentType).send(JSON.stringify(await describeModules(environment)))
    }
    const all = await Promise.all((await environments.list()).map((each) => environments.get(each)))
    const described: Awaited<ReturnType<typeof describeModules>>[] = []
    for (const each of all) if (each) described.push(await describeModules(each))
    return reply.type(jsonMedia.contentType).send(JSON.stringify(described))
  })
}

async function describeModules(environment: Environment) {
  return { name: environment.name, modules: await mapCooperatively(environment.modules(), describeModule) }
}

/**
 * A module with the name from its metadata.json, written with a slash; the version is null if
 * missing.
 */
function describeModule(module: Module): { readonly name: string; readonly version: string | null } {
  const metadata = getModuleMetadata(module)
  return { name: metadata?.name?.replace('-', '/') ?? module.name, version: metadata?.version ?? null }
}
