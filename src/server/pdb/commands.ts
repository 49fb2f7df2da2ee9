import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, PuppetError } from '../../base/issue.ts'
import {
  type SubmissionRefusal as CommandRefusal,
  checkSubmissionHeaders,
  readSubmission,
  type SubmissionRequest,
} from '../../store/commands/submission.ts'
import { queueIssues } from '../../store/queue/journal.ts'
import { streamBody } from '../bodies/request-body.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'
import type { PdbServices } from './index.ts'

const unpacked = promisify(gunzip)
const most = budgets.request.commandBody.bound
const textType = 'text/plain;charset=utf-8'

/** `POST /pdb/cmd/v1`: stores a command on disk, then returns its UUID. protocol.md 16.1. */
export function addCommandRoutes(server: FastifyInstance, { store }: Pick<PdbServices, 'store'>): void {
  server.post('/pdb/cmd/v1', { config: { readsBody: true, unpacksBody: true } }, async (request, reply) => {
    const asked = toSubmissionRequest(request)
    throwRefusal(checkSubmissionHeaders(asked, most))
    const outcome = readSubmission(asked, await readCommandBody(request), most)
    if ('refusal' in outcome) throw toRefusal(outcome.refusal)
    const { waitMs, ...command } = outcome.submission
    void reply.type(jsonMedia.contentType)
    if (waitMs === undefined) {
      const uuid = await awaitSubmission(store.submit(command))
      if (uuid === undefined) throw new Refusal(503, textType, 'The PuppetDB behind this server rejected the command')
      return reply.send(JSON.stringify({ uuid }))
    }
    const { uuid, processed } = await awaitSubmission(store.submitAndWait(command, waitMs))
    const done = { uuid, processed: processed !== undefined, timed_out: processed === undefined }
    if (processed?.problem === undefined) return reply.code(processed ? 200 : 503).send(JSON.stringify(done))
    return reply.send(JSON.stringify({ ...done, error: processed.problem, exception: processed.problem }))
  })
}

function toSubmissionRequest({ raw }: FastifyRequest): SubmissionRequest {
  const { url = '', headers } = raw
  const at = url.indexOf('?')
  const query = at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))]
  const named = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value])
  return { query, headers: Object.fromEntries(named) as SubmissionRequest['headers'] }
}

/**
 * The decompressed body. Throws 413 if it is too large, compressed or not, and 400 for invalid
 * gzip.
 */
async function readCommandBody(request: FastifyRequest): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of streamBody(request)) {
    size += part.length
    if (size > most) throw createTooLargeRefusal()
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  if (request.headers['content-encoding'] !== 'gzip') return body
  return unpacked(body, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? createTooLargeRefusal()
      : new Refusal(400, textType, 'The request body is not gzip')
  })
}

function createTooLargeRefusal(): Refusal {
  return new Refusal(413, textType, 'Command size exceeds max-command-size')
}

async function awaitSubmission<Value>(submitted: Promise<Value>): Promise<Value> {
  try {
    return await submitted
  } catch (error) {
    if (isIssue(error, queueIssues.QUEUE_FULL)) throw new Refusal(503, textType, 'The command queue is full')
    // The PuppetDB server behind this server did not accept the command.
    if (error instanceof PuppetError) throw new Refusal(503, textType, error.diagnostic.message)
    throw error
  }
}

function throwRefusal(refusal: CommandRefusal | undefined): void {
  if (refusal) throw toRefusal(refusal)
}

function toRefusal({ status, contentType, body }: CommandRefusal): Refusal {
  return new Refusal(status, contentType, body)
}
