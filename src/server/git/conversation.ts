import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { printable } from '../../base/text/printable.ts'
import { type GitService, type ServedGit, type ServeGitOptions, serveGit } from '../../code/git/serve-git.ts'
import { plainRefusal } from '../http/refusal.ts'

/** Nobody keeps what git says: it is another thing after each push. Documentation/gitprotocol-http.txt. */
export const noCache = {
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
} as const

/** The content type of what a service answers. */
export function resultType(service: GitService): string {
  return `application/x-git-${service}-result`
}

/** A request to git, and where its answer goes. */
export interface Conversation {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly gitDir: string
  readonly service: GitService
  readonly contentType: string
}

/**
 * Has git answer a request: it gets `body` as it comes, and what it says goes out as it says it. Git is ended when the
 * client is gone, when its time is over, and when the body is not what it should be.
 */
export async function converse(
  { request, reply, gitDir, service, contentType }: Conversation,
  body: AsyncIterable<Uint8Array>,
  options: ServeGitOptions & { readonly before?: Buffer } = {},
): Promise<FastifyReply> {
  requireClient(reply)
  const served = serveGit(gitDir, service, options)
  const { stdout } = served
  const fault: Fault = {}
  const giveUp = (error: unknown) => {
    fault.error ??= error
    served.end()
  }
  const gone = () => served.end()
  reply.raw.once('close', gone)
  const late = setTimeout(() => giveUp(plainRefusal(503, 'It took too long\n')), budgets.git.time.bound).unref()
  void served.ended.then(({ status, said }) => {
    clearTimeout(late)
    reply.raw.off('close', gone)
    if (status !== 0 && said !== '') request.log.warn(`git ${service}: ${printable(said.split('\n').at(-1)!)}`)
  })
  void feed(served, body)
    .catch(giveUp)
    .finally(() => request.raw.resume()) // the rest of a body that git does not want is nobody's
  // What goes wrong before git says anything has a status of its own.
  await Promise.race([once(stdout, 'readable').catch(giveUp), served.ended])
  if (stdout.readableLength === 0) await refuseFailed(served, fault)
  reply.headers(noCache).type(contentType)
  return reply.send(Readable.from(answerOf(served, fault, options.before), { objectMode: false }))
}

/** Throws where the client is gone by now, and nobody would be told of its end. */
export function requireClient({ raw }: FastifyReply): void {
  if (raw.destroyed) throw plainRefusal(503, 'The client is gone\n')
}

/** Why an answer is not what git would have said. */
interface Fault {
  error?: unknown
}

/** Throws where git ended without a word because something is wrong. */
async function refuseFailed({ ended, stdout }: ServedGit, fault: Fault): Promise<void> {
  stdout.resume()
  const { status } = await ended
  if (fault.error !== undefined) throw fault.error
  if (status !== 0) throw plainRefusal(500, 'Git failed. Please see the server logs for details.\n')
}

/** The output of git as it comes; an error at the end, which cuts the connection, where git was ended. */
async function* answerOf(
  { stdout, ended }: ServedGit,
  fault: Fault,
  before: Buffer | undefined,
): AsyncGenerator<Buffer> {
  if (before) yield before
  try {
    // A closed pipe would end git by a signal, at which it leaves its quarantine there.
    yield* stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } finally {
    stdout.resume()
  }
  const { signal } = await ended
  if (fault.error !== undefined || signal !== null) throw new Error(`git was ended${signal ? ` by ${signal}` : ''}`)
}

/** Gives git what it is to read, no faster than it reads, until it reads no more. */
async function feed({ stdin }: ServedGit, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (!stdin.writable) return
    if (!stdin.write(chunk)) await drained(stdin)
  }
  stdin.end()
}

function drained(stdin: ServedGit['stdin']): Promise<void> {
  return new Promise((done) => {
    const go = () => {
      stdin.off('drain', go).off('close', go)
      done()
    }
    if (stdin.destroyed) done()
    else stdin.on('drain', go).on('close', go)
  })
}
