import type { FastifyInstance } from 'fastify'
import { binaryMedia, negotiateFormat } from '../http/negotiation.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { sendFile } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/**
 * `GET /puppet/v3/file_content/MOUNT/PATH`. A directory gives 200 with an empty body, as in Puppet
 * Server. protocol.md 8.
 */
export function addFileContentRoutes(server: FastifyInstance, { fileContent }: Services): void {
  server.get('/puppet/v3/file_content/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const format = negotiateFormat(request.headers.accept, [binaryMedia])
    const found = await fileContent.find({ key, node: request.call.client.certname, environment })
    if (!found) throw createPuppetRefusal(404, `Could not find file_content ${key}`, 'RESOURCE_NOT_FOUND')
    if (found === 'directory') return reply.type(format.contentType).send(Buffer.alloc(0))
    return sendFile(request, reply, found)
  })
}
