import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { transportIssues } from '../transports/transport-reader.ts'
import { findPlainEnvironment } from './environment-parameter.ts'

/**
 * `GET /puppet/v3/environment_transports?environment=ENV`, with an ETag: the transport schemas of
 * all modules. protocol.md 10.
 */
export function addEnvironmentTransportsRoutes(
  server: FastifyInstance,
  { environments, transportReader }: Pick<Services, 'environments' | 'transportReader'>,
): void {
  server.get('/puppet/v3/environment_transports', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await findPlainEnvironment(environments, request.call.query)
    const transports = await transportReader.read(environment).catch((error: unknown) => {
      throw error instanceof PuppetError && isIssue(error, transportIssues.TRANSPORTS_UNREADABLE)
        ? createPlainRefusal(500, `Internal Server Error: org.jruby.exceptions.RuntimeError: (Error) ${error.message}`)
        : error
    })
    const body = `{"name":${JSON.stringify(environment.name)},"transports":${transports}}`
    const etag = createHash('sha256').update(body).digest('hex')
    void reply.header('ETag', etag)
    const known = request.headers['if-none-match']?.replaceAll('"', '').replace(/--gzip$/, '')
    return known === etag ? reply.code(304).send() : reply.type(jsonMedia.contentType).send(body)
  })
}
