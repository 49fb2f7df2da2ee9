import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { discardContent } from '../../base/bytes/content.ts'
import { streamBody } from '../bodies/request-body.ts'
import { binaryMedia, negotiateFormat, requireContentType } from '../http/negotiation.ts'
import { getParameter } from '../http/parameters.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { sendFile } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/**
 * `GET`, `HEAD` and `PUT /puppet/v3/file_bucket_file/ALGORITHM/SUM[/PATH]`; `diff_with=SUM` returns
 * a diff. protocol.md 9.
 */
export function addFileBucketRoutes(server: FastifyInstance, { fileBucketFile }: Services): void {
  server.get('/puppet/v3/file_bucket_file/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    // A list of all files would reveal files of other nodes. Puppet: indirector/file_bucket_file/file.rb.
    if (getParameter(request.call.query, 'list_all') === 'true')
      throw createPuppetRefusal(500, 'Listing remote file buckets is not allowed')
    const key = requireKey(request)
    const diffWith = request.method === 'HEAD' ? undefined : getParameter(request.call.query, 'diff_with')
    const head = request.method === 'HEAD'
    const found = await fileBucketFile.find({ key, environment, diffWith, head })
    if (!found) throw createPuppetRefusal(404, `Could not find file_bucket_file ${key}`, 'RESOURCE_NOT_FOUND')
    // A file from another server arrives as a stream that has already started.
    const content =
      found.content instanceof Readable ? found.content : Readable.from(found.content, { objectMode: false })
    try {
      if (!head) negotiateFormat(request.headers.accept, [binaryMedia])
    } catch (error) {
      discardContent(content)
      throw error
    }
    if (!head) return sendFile(request, reply, { size: found.size, content })
    discardContent(content)
    return reply.send()
  })

  server.put('/puppet/v3/file_bucket_file/*', { config: { readsBody: true } }, async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    requireContentType(request.headers['content-type'], binaryMedia.mime, 'text/plain')
    const size = Number(request.headers['content-length'] ?? 0)
    await fileBucketFile.save({ size, content: streamBody(request) }, { key, environment })
    return reply.type(binaryMedia.contentType).send(Buffer.alloc(0))
  })
}
