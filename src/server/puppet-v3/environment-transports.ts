import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { defineIssues, errorOf } from '../../base/issue.ts'
import { below } from '../../environments/modules.ts'
import { json } from '../negotiation.ts'
import { plainRefusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { plainEnvironment } from './environment-parameter.ts'

const issues = defineIssues({
  TRANSPORTS_NOT_DESCRIBED: {
    text: (a: { module: string }) =>
      `The transports of module ${a.module} cannot be described: their schemas are Ruby for puppet-resource_api`,
  },
})

/**
 * `GET /puppet/v3/environment_transports?environment=ENV` with an ETag, for environments whose modules bring none; a module
 * that brings some is said to be the trouble. protocol.md 10.
 */
export function environmentTransportsRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/environment_transports', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await plainEnvironment(environments, request.call.query)
    const module = environment.modules().find(({ directory: { tree, path } }) => {
      const names = tree.list(below(path, 'lib/puppet/transport/schema'))
      return names.some((name) => name.endsWith('.rb'))
    })
    if (module) throw plainRefusal(501, errorOf(issues.TRANSPORTS_NOT_DESCRIBED, { module: module.name }).message)
    const body = JSON.stringify({ name: environment.name, transports: [] })
    const etag = createHash('sha256').update(body).digest('hex')
    void reply.header('ETag', etag)
    const known = request.headers['if-none-match']?.replaceAll('"', '').replace(/--gzip$/, '')
    return known === etag ? reply.code(304).send() : reply.type(json.contentType).send(body)
  })
}
