import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { type GitService, type ServedGit, type ServeGitOptions, serveGit } from '../../code/git/git-service.ts'
import { createPlainRefusal } from '../http/refusal.ts'

/** Responses change with each push and must not be cached. Documentation/gitprotocol-http.txt. */
export const noCache = {
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
} as const

/** Content type of a service's response. */
export function getResultType(service: GitService): string {
  return `application/x-git-${service}-result`
}

/** A git request with its reply. */
export interface GitServiceRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly gitDir: string
  readonly service: GitService
  readonly contentType: string
}

/**
 * Runs a git service for a request: streams `body` to git and git's output to the client. Ends git
 * if the client disconnects, if the time limit is reached, or if the body is invalid.
 */
export async function runGitService(
  { request, reply, gitDir, service, contentType }: GitServiceRequest,
  body: AsyncIterable<Uint8Array>,
  options: ServeGitOptions & { readonly before?: Buffer } = {},
): Promise<FastifyReply> {
  requireConnectedClient(reply)
  const served = serveGit(gitDir, service, options)
  const { stdout } = served
  const fault: Fault = {}
  const failService = (error: unknown) => {
    fault.error ??= error
    served.end()
  }
  const endService = () => served.end()
  reply.raw.once('close', endService)
  const late = setTimeout(
    () => failService(createPlainRefusal(503, 'The request exceeded the time limit\n')),
    budgets.git.time.bound,
  ).unref()
  void served.ended.then(({ status, said }) => {
    clearTimeout(late)
    reply.raw.off('close', endService)
    if (status !== 0 && said !== '') request.log.warn(`git ${service}: ${toPrintable(said.split('\n').at(-1)!)}`)
  })
  void writeBody(served, body)
    .catch(failService)
    .finally(() => request.raw.resume()) // discard the rest of a body that git does not read
  // Errors before the first output of git get their own HTTP status.
  await Promise.race([once(stdout, 'readable').catch(failService), served.ended])
  if (stdout.readableLength === 0) await checkGitOutput(served, fault)
  reply.headers(noCache).type(contentType)
  return reply.send(Readable.from(streamGitOutput(served, fault, options.before), { objectMode: false }))
}

/** Throws if the client has disconnected, because its `close` event has already fired. */
export function requireConnectedClient({ raw }: FastifyReply): void {
  if (raw.destroyed) throw createPlainRefusal(503, 'The client disconnected\n')
}

/** First error while a git service runs. The client gets this error if git has written no output. */
interface Fault {
  error?: unknown
}

/** Throws if git failed before it wrote any output. */
async function checkGitOutput({ ended, stdout }: ServedGit, fault: Fault): Promise<void> {
  stdout.resume()
  const { status } = await ended
  if (fault.error !== undefined) throw fault.error
  if (status !== 0) throw createPlainRefusal(500, 'Git failed. Please see the server logs for details.\n')
}

/**
 * Streams git's output. If git was killed or the request failed, throws after the output, which cuts the connection.
 */
async function* streamGitOutput(
  { stdout, ended }: ServedGit,
  fault: Fault,
  before: Buffer | undefined,
): AsyncGenerator<Buffer> {
  if (before) yield before
  try {
    // Closing the pipe would end git by a signal, and git would leave its quarantine behind.
    yield* stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } finally {
    stdout.resume()
  }
  const { signal } = await ended
  if (fault.error !== undefined || signal !== null)
    throw new Error(`git was terminated${signal ? ` by ${signal}` : ''}`)
}

/** Writes the body to git with backpressure, until git stops reading. */
async function writeBody({ stdin }: ServedGit, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (!stdin.writable) return
    if (!stdin.write(chunk)) await waitForDrain(stdin)
  }
  stdin.end()
}

function waitForDrain(stdin: ServedGit['stdin']): Promise<void> {
  return new Promise((done) => {
    const finishWait = () => {
      stdin.off('drain', finishWait).off('close', finishWait)
      done()
    }
    if (stdin.destroyed) done()
    else stdin.on('drain', finishWait).on('close', finishWait)
  })
}
