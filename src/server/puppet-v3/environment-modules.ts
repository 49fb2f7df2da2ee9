import type { FastifyInstance } from 'fastify'
import { mapInTurns } from '../../base/threads/in-turns.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { type Module, metadataOf } from '../../code/environments/modules.ts'
import { json } from '../http/negotiation.ts'
import type { Services } from '../services/services.ts'
import { plainEnvironment } from './environment-parameter.ts'

/** `GET /puppet/v3/environment_modules[?environment=ENV]`. protocol.md 10. */
export function environmentModulesRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/environment_modules', async (request, reply) => {
    const { query } = request.call
    if (query.has('environment')) {
      const environment = await plainEnvironment(environments, query)
      return reply.type(json.contentType).send(JSON.stringify(await modulesOf(environment)))
    }
    const all = await Promise.all((await environments.list()).map((each) => environments.get(each)))
    const described: Awaited<ReturnType<typeof modulesOf>>[] = []
    for (const each of all) if (each) described.push(await modulesOf(each))
    return reply.type(json.contentType).send(JSON.stringify(described))
  })
}

async function modulesOf(environment: Environment) {
  return { name: environment.name, modules: await mapInTurns(environment.modules(), describe) }
}

/**
 * A module with the name from its metadata.json, written with a slash; the version is null if
 * missing.
 */
function describe(module: Module): { readonly name: string; readonly version: string | null } {
  const metadata = metadataOf(module)
  return { name: metadata?.name?.replace('-', '/') ?? module.name, version: metadata?.version ?? null }
}
