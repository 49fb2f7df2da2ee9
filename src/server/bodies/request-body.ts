import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { toAccountKey } from '../http/client-account.ts'
import { createPuppetRefusal, Refusal } from '../http/refusal.ts'
import { BodyMemory, type BodyShare, smallBody } from './body-memory.ts'

/** Body of a request: a buffer if small, otherwise blocks that can be transferred to a thread. */
export type Body = Buffer | LargeBody

/** A body too large to be parsed on the main thread; `size` in bytes. */
export interface LargeBody {
  readonly blocks: readonly Uint8Array<ArrayBuffer>[]
  readonly size: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route streams the body itself. */
    readonly readsBody?: boolean
    /** True if the route decompresses the body, within its own limit. */
    readonly unpacksBody?: boolean
  }
}

/** The body of a request; empty if it has none. */
export function getBody({ body }: FastifyRequest): Body {
  return (body as Body | undefined) ?? Buffer.alloc(0)
}

/** The bytes of a body in one buffer. */
export function joinBody(body: Body): Buffer {
  return 'blocks' in body ? Buffer.concat(body.blocks) : body
}

/** The body as UTF-8 text. */
export function getBodyText(body: Body): string {
  return joinBody(body).toString('utf8')
}

/** True for an empty body. */
export function isEmptyBody(body: Body): boolean {
  return !('blocks' in body) && body.length === 0
}

/** Size of a body in bytes, valid even after its blocks were transferred to a thread. */
export function getBodySize(body: Body): number {
  return 'blocks' in body ? body.size : body.length
}

/**
 * Streams a body. Breaking out of the loop keeps the connection open. Throws 400 if the body is cut
 * short.
 */
export async function* streamBody({ raw }: FastifyRequest): AsyncGenerator<Buffer> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw createPuppetRefusal(400, 'The request body is truncated')
  }
}

/** Key of the request's client in the limits per client. */
export function getRequestAccount({ call }: FastifyRequest): string {
  return toAccountKey(call.client)
}

/**
 * Makes every body available as bytes, whatever its type, within the limits of the client and the
 * server.
 */
export function acceptRequestBodies(server: FastifyInstance, held = new BodyMemory()): void {
  const holdings = new WeakMap<FastifyRequest, BodyShare>()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    try {
      if (request.is404) return undefined
      if (!request.routeOptions.config.unpacksBody) requireUncompressed(request)
      if (request.routeOptions.config.readsBody) return undefined
      const holding = held.open(getRequestAccount(request))
      holdings.set(request, holding)
      return await collectBody(request, holding)
    } catch (error) {
      // Fastify cuts the connection if a parser throws, before the client can read the reason. A
      // hook throws the refusal instead.
      if (error instanceof Refusal) return error
      throw error
    }
  })
  server.addHook('preValidation', ({ body }, _reply, done) => done(body instanceof Refusal ? body : undefined))
  const asking = new WeakSet<IncomingMessage>()
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    asking.add(request)
    server.server.emit('request', request, response)
  })
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { config, bodyLimit } = request.routeOptions
    const size = Number(request.headers['content-length'] ?? 0)
    if (!config.readsBody && size > bodyLimit) return done(createTooLargeRefusal())
    if (asking.delete(request.raw)) reply.raw.writeContinue()
    done(null, payload)
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => holdings.get(request)?.release())
    reply.raw.once('finish', () => discardBody(request, reply))
    done()
  })
}

/** Discards the rest of a refused body, so that the client gets to read the refusal. */
function discardBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  raw.resume()
  const cut = setTimeout(() => raw.destroy(), budgets.request.unreadTime.bound).unref()
  raw.once('close', () => clearTimeout(cut))
  reply.raw.socket?.once('close', () => clearTimeout(cut))
}

/**
 * Rejects compressed bodies, since their decompressed size is not limited. Puppet's agents send
 * none.
 */
function requireUncompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  throw createPuppetRefusal(415, `Unsupported Content-Encoding '${encoding}'`, 'UNSUPPORTED_MEDIA_TYPE')
}

async function collectBody(request: FastifyRequest, holding: BodyShare): Promise<Body> {
  const most = request.routeOptions.bodyLimit
  const blocks = new Blocks()
  for await (const chunk of streamBody(request)) {
    if (blocks.size + chunk.length > most) throw createTooLargeRefusal()
    holding.grow(chunk.length)
    blocks.add(chunk)
  }
  return blocks.body()
}

function createTooLargeRefusal(): Refusal {
  return createPuppetRefusal(413, 'The request body is too large')
}

const blockSize = 1024 * 1024

/** Collects chunks into blocks. Each step copies one chunk at most, whatever the total size. */
class Blocks {
  size = 0
  #small: Buffer[] = []
  readonly #blocks: Uint8Array<ArrayBuffer>[] = []
  /** Number of bytes used in the last block. */
  #taken = blockSize

  add(chunk: Buffer): void {
    this.size += chunk.length
    this.#small.push(chunk)
    if (this.size <= smallBody) return
    for (const each of this.#small) this.#append(each)
    this.#small = []
  }

  body(): Body {
    if (this.size <= smallBody) return Buffer.concat(this.#small)
    const last = this.#blocks.pop()!
    return { blocks: [...this.#blocks, last.subarray(0, this.#taken)], size: this.size }
  }

  #append(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      if (this.#taken === blockSize) {
        this.#blocks.push(Buffer.allocUnsafeSlow(blockSize))
        this.#taken = 0
      }
      const part = chunk.subarray(from, from + blockSize - this.#taken)
      this.#blocks.at(-1)!.set(part, this.#taken)
      this.#taken += part.length
      from += part.length
    }
  }
}
