import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isCatalogIssue, isIssue } from '../../base/issue.ts'
import { exportArchive } from '../../store/archive/export.ts'
import { archiveIssues, importStoreArchive } from '../../store/archive/import.ts'
import type { NodeStore, SubmittedCommand } from '../../store/node-store.ts'
import { queueIssues } from '../../store/queue/journal.ts'
import { streamBody } from '../bodies/request-body.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'
import type { PdbServices } from './index.ts'
import { formIssues, parseBoundary, streamFormFile } from './multipart.ts'

/** Interval between attempts to submit a command while the queue is full, in milliseconds. */
const pauseMs = 500

/**
 * `GET` and `POST /pdb/admin/v1/archive`: export and import of all node data in PuppetDB's format.
 * protocol.md 16.3.
 */
export function addArchiveRoutes(server: FastifyInstance, { store, now }: PdbServices): void {
  server.get('/pdb/admin/v1/archive', async (_request, reply) => {
    const time = new Date(now()).toISOString()
    void reply.type('application/octet-stream')
    void reply.header('Content-Disposition', `attachment; filename=puppetdb-export-${time}.tgz`)
    return reply.send(exportArchive(store, now()))
  })
  server.post('/pdb/admin/v1/archive', { config: { readsBody: true } }, async (request, reply) => {
    try {
      await importStoreArchive(streamArchive(request), (command) => submitCommand(store, command))
    } catch (error) {
      if (!isCatalogIssue(error, archiveIssues) && !isCatalogIssue(error, formIssues)) throw error
      throw new Refusal(400, jsonMedia.contentType, JSON.stringify({ error: error.diagnostic.message }))
    }
    return reply.type(jsonMedia.contentType).send(JSON.stringify({ ok: true }))
  })
}

/** Streams the field `archive` of a form. Throws 413 if it is too large. */
async function* streamArchive(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const boundary = parseBoundary(String(request.headers['content-type'] ?? ''))
  let bytes = 0
  for await (const part of streamFormFile(streamBody(request), boundary, 'archive')) {
    bytes += part.length
    if (bytes > budgets.store.archiveBytes.bound)
      throw new Refusal(413, jsonMedia.contentType, '{"error":"Payload Too Large"}')
    yield part
  }
}

/** Submits a command; waits while the queue is full, since an archive may exceed its capacity. */
async function submitCommand(store: NodeStore, command: SubmittedCommand): Promise<void> {
  while (true) {
    try {
      await store.submit(command)
      return
    } catch (error) {
      if (!isIssue(error, queueIssues.QUEUE_FULL)) throw error
      await new Promise((done) => setTimeout(done, pauseMs))
    }
  }
}
