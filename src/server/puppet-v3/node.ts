import type { FastifyInstance } from 'fastify'
import { printJson } from '../../base/json-text.ts'
import { nodeToWire } from '../../model/node.ts'
import { environmentOf } from '../../termini/environment-of.ts'
import { json, negotiate } from '../negotiation.ts'
import { puppetRefusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireCertname } from './key.ts'

/** `GET /puppet/v3/node/CERTNAME`. protocol.md 9. */
export function nodeRoutes(server: FastifyInstance, { node, environments }: Services): void {
  server.get('/puppet/v3/node/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await environmentOf(environments, { key: '', environment })
    const key = requireCertname(request)
    const found = await node.find({ key, node: request.call.client.certname, environment })
    if (!found) throw puppetRefusal(404, `Could not find node ${key}`, 'RESOURCE_NOT_FOUND')
    const format = negotiate(request.headers.accept, [json])
    return reply.type(format.contentType).send(printJson(nodeToWire(found)))
  })
}
