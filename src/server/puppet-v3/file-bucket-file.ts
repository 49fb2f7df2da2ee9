import type { FastifyInstance } from 'fastify'
import { binary, negotiate, requireContentType } from '../negotiation.ts'
import { puppetRefusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/** Of one file, which is held in memory for as long as it takes to store it. */
const largest = 256 * 1024 * 1024

/** `GET`, `HEAD` and `PUT /puppet/v3/file_bucket_file/ALGORITHM/SUM[/PATH]`. protocol.md 9. */
export function fileBucketFileRoutes(server: FastifyInstance, { fileBucketFile }: Services): void {
  server.get('/puppet/v3/file_bucket_file/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const found = await fileBucketFile.find({ key, environment })
    if (!found) throw puppetRefusal(404, `Could not find file_bucket_file ${key}`, 'RESOURCE_NOT_FOUND')
    if (request.method === 'HEAD') return reply.send()
    return reply.type(negotiate(request.headers.accept, [binary]).contentType).send(found)
  })

  server.put('/puppet/v3/file_bucket_file/*', { bodyLimit: largest }, async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    requireContentType(request.headers['content-type'], binary.mime, 'text/plain')
    const content = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
    await fileBucketFile.save(content, { key, environment })
    return reply.type(binary.contentType).send(Buffer.alloc(0))
  })
}
