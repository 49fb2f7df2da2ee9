import type { FastifyInstance } from 'fastify'
import { buildTrustedFacts } from '../../node/facts/trusted.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { getRequestEnvironment } from '../termini/request-environment.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { parseJsonBody } from './json-body.ts'
import { requireCertname } from './key.ts'
import { getProvenClient } from './trusted-client.ts'

/** `PUT /puppet/v3/facts/CERTNAME`. protocol.md 9. */
export function addFactsRoutes(server: FastifyInstance, { facts, node, environments, bodyReader }: Services): void {
  server.put('/puppet/v3/facts/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await getRequestEnvironment(environments, { key: '', environment })
    const key = requireCertname(request)
    const { value: sent } = await parseJsonBody(request, bodyReader, 'facts')
    if (sent.name !== key)
      throw createPuppetRefusal(400, `The request for "${key}" contains the facts of "${sent.name}"`)
    const { certname } = request.call.client
    const trusted = buildTrustedFacts({ ...getProvenClient(request), certname })
    await facts.save(sent, { key, node: certname, environment, trusted: () => trusted })
    await node.expire({ key })
    return reply.type(jsonMedia.contentType).send('0')
  })
}
