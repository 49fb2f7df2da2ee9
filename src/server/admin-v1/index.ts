import type { FastifyInstance } from 'fastify'
import type { Environments } from '../../code/environments/environments.ts'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import { createPlainRefusal, Refusal } from '../http/refusal.ts'
import { createThreadDump } from './thread-dump.ts'

/** Dependencies of the admin endpoints. */
export interface AdminSources {
  readonly environments: Pick<Environments, 'refresh'>
  readonly pool: Pick<CompilePool, 'renew' | 'threads'>
}

const root = '/puppet-admin-api/v1'

/** Adds the routes of `/puppet-admin-api/v1`. The default rules deny them, as in Puppet Server. protocol.md 14. */
export function addAdminV1Routes(server: FastifyInstance, { environments, pool }: AdminSources): void {
  server.delete(`${root}/environment-cache`, async (_request, reply) => {
    // All refs are read together, so a request for one environment refreshes every environment.
    await environments.refresh()
    return reply.code(204).send()
  })
  server.delete(`${root}/jruby-pool`, async (_request, reply) => {
    pool.renew()
    return reply.code(204).send()
  })
  server.get(`${root}/jruby-pool/thread-dump`, async (_request, reply) =>
    reply.type('application/json;charset=utf-8').send(JSON.stringify(createThreadDump(pool.threads()))),
  )
  for (const [path, allowed] of Object.entries({
    'environment-cache': 'DELETE',
    'jruby-pool': 'DELETE',
    'jruby-pool/thread-dump': 'GET',
  }))
    server.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'].filter((method) => !isMethodAllowed(method, allowed)),
      url: `${root}/${path}`,
      handler: async () => {
        throw new Refusal(405, 'text/plain;charset=utf-8', 'Method not allowed.', { Allow: allowed })
      },
    })
  server.all(`${root}/*`, async () => {
    throw createPlainRefusal(404, 'Not Found')
  })
}

/** Fastify answers HEAD for each GET route. */
function isMethodAllowed(method: string, allowed: string): boolean {
  return method === allowed || (method === 'HEAD' && allowed === 'GET')
}
