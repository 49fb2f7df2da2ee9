import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../http/client.ts'

/** A request that was answered, or whose client went away: all that logs and figures know of it. */
export interface EndedRequest {
  readonly id: string
  readonly method: string
  /** Decoded, without its query, which may hold facts; empty for a path that could not be read. */
  readonly path: string
  /** The pattern of the route, such as `/puppet/v3/catalog/*`; `none` where there is none. There are a few dozen. */
  readonly route: string
  readonly httpVersion: string
  /** 499 where the client went away before its answer was sent, as with nginx. */
  readonly status: number
  /** Milliseconds from the last header to the end of the answer. */
  readonly ms: number
  readonly client: Client
  readonly userAgent: string | undefined
  /** Bytes of the request's body, as its client said. */
  readonly received: number | undefined
  /** Bytes of the answer's body, where they were known before it was sent. */
  readonly sent: number | undefined
}

/** Who hears of requests. */
export interface RequestObserver {
  /** A request has begun; nothing of it is checked yet. */
  began?(request: FastifyRequest): void
  ended(request: EndedRequest, fastify: FastifyRequest): void
}

const clientGone = 499

/** Tells observers of a request's beginning and, once, of its end. */
export function observe(request: FastifyRequest, reply: FastifyReply, observers: readonly RequestObserver[]): void {
  const began = performance.now()
  for (const observer of observers) observer.began?.(request)
  reply.raw.once('close', () => {
    const ended = endedRequest(request, reply, performance.now() - began)
    for (const observer of observers) observer.ended(ended, request)
  })
}

function endedRequest(request: FastifyRequest, reply: FastifyReply, ms: number): EndedRequest {
  const { raw, call, method, routeOptions } = request
  return {
    id: request.id,
    method,
    path: call.path,
    route: routeOptions.url ?? 'none',
    httpVersion: raw.httpVersion,
    status: reply.raw.writableFinished ? reply.raw.statusCode : clientGone,
    ms,
    client: call.client,
    userAgent: raw.headers['user-agent'],
    received: lengthIn(raw.headers['content-length']),
    sent: lengthIn(reply.getHeader('content-length')),
  }
}

function lengthIn(header: unknown): number | undefined {
  const length = Number(header ?? Number.NaN)
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined
}
