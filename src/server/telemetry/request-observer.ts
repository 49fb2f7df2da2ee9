import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../http/client.ts'

/** A completed or disconnected request, with the values that logs and metrics need. */
export interface EndedRequest {
  readonly id: string
  readonly method: string
  /** Decoded path without the query, which may contain facts; empty if the path is invalid. */
  readonly path: string
  /**
   * Pattern of the route, such as `/puppet/v3/catalog/*`; `none` without a route. There are only a few dozen
   * patterns.
   */
  readonly route: string
  readonly httpVersion: string
  /** HTTP status; 499 if the client disconnected before the response was complete, as in nginx. */
  readonly status: number
  /** Milliseconds from the end of the headers to the end of the response. */
  readonly ms: number
  readonly client: Client
  readonly userAgent: string | undefined
  /** Size of the request body in bytes, from `Content-Length`. */
  readonly received: number | undefined
  /** Size of the response body in bytes, if known before sending. */
  readonly sent: number | undefined
}

/** An observer of requests. */
export interface RequestObserver {
  /** Called when a request starts, before any check. */
  began?(request: FastifyRequest): void
  ended(request: EndedRequest, fastify: FastifyRequest): void
}

const clientGone = 499
/** Status of a request whose connection became a WebSocket; the response ends then. */
const switchingProtocols = 101

/** Notifies the observers of the start and, once, of the end of a request. */
export function observeRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  observers: readonly RequestObserver[],
): void {
  const began = performance.now()
  for (const observer of observers) observer.began?.(request)
  reply.raw.once('close', () => {
    const ended = toEndedRequest(request, reply, performance.now() - began)
    for (const observer of observers) observer.ended(ended, request)
  })
}

function toEndedRequest(request: FastifyRequest, reply: FastifyReply, ms: number): EndedRequest {
  const { raw, call, method, routeOptions } = request
  return {
    id: request.id,
    method,
    path: call.path,
    route: routeOptions.url ?? 'none',
    httpVersion: raw.httpVersion,
    status:
      reply.raw.writableFinished || reply.raw.statusCode === switchingProtocols ? reply.raw.statusCode : clientGone,
    ms,
    client: call.client,
    userAgent: raw.headers['user-agent'],
    received: parseLength(raw.headers['content-length']),
    sent: parseLength(reply.getHeader('content-length')),
  }
}

function parseLength(header: unknown): number | undefined {
  const length = Number(header ?? Number.NaN)
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined
}
