import type { FastifyInstance } from 'fastify'
import { trustedFacts } from '../../node/facts/trusted.ts'
import { json } from '../http/negotiation.ts'
import { puppetRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { environmentOf } from '../termini/environment-of.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { jsonBody } from './json-body.ts'
import { requireCertname } from './key.ts'
import { provenClient } from './proven-client.ts'

/** `PUT /puppet/v3/facts/CERTNAME`. protocol.md 9. */
export function factsRoutes(server: FastifyInstance, { facts, node, environments, bodyReader }: Services): void {
  server.put('/puppet/v3/facts/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await environmentOf(environments, { key: '', environment })
    const key = requireCertname(request)
    const { value: sent } = await jsonBody(request, bodyReader, 'facts')
    if (sent.name !== key) throw puppetRefusal(400, `Facts of "${sent.name}" were sent as those of "${key}"`)
    const { certname } = request.call.client
    const trusted = trustedFacts({ ...provenClient(request), certname })
    await facts.save(sent, { key, node: certname, environment, trusted: () => trusted })
    await node.expire({ key })
    return reply.type(json.contentType).send('0')
  })
}
