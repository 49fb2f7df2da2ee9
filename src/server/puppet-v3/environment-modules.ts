import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../environments/environments.ts'
import type { Module } from '../../environments/modules.ts'
import { json } from '../negotiation.ts'
import { parameter } from '../parameters.ts'
import { bareRefusal, plainRefusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { isEnvironmentName } from './environment-parameter.ts'

/** `GET /puppet/v3/environment_modules[?environment=ENV]`. protocol.md 10. */
export function environmentModulesRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/environment_modules', async (request, reply) => {
    const name = parameter(request.call.query, 'environment')
    if (name === undefined) {
      const all = await Promise.all((await environments.list()).map((each) => environments.get(each)))
      return reply.type(json.contentType).send(JSON.stringify(all.flatMap((each) => (each ? [modulesOf(each)] : []))))
    }
    if (!isEnvironmentName(name)) throw plainRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
    const environment = await environments.get(name)
    if (!environment) throw bareRefusal(404, `Could not find environment '${name}'`)
    return reply.type(json.contentType).send(JSON.stringify(modulesOf(environment)))
  })
}

function modulesOf(environment: Environment) {
  return { name: environment.name, modules: environment.modules().map(describe) }
}

function describe({ name, directory: { tree, path } }: Module): { name: string; version: string | null } {
  const metadata = tree.readText(`${path}/metadata.json`)
  if (metadata === undefined) return { name, version: null }
  try {
    const told = JSON.parse(metadata) as { name?: unknown; version?: unknown }
    return {
      name: typeof told.name === 'string' ? told.name.replace('-', '/') : name,
      version: typeof told.version === 'string' ? told.version : null,
    }
  } catch {
    return { name, version: null }
  }
}
