import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tracer } from '../../base/tracing.ts'
import { type Client, isAdministrator } from '../http/client.ts'
import type { RequestObserver } from './request-observer.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Hook that runs the handler within a span of the request. */
export function startRequestSpan(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { client } = request.call
  const parent = canStartTrace(client) ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
  const route = request.routeOptions.url ?? 'none'
  const span = tracer.startSpan(
    `${request.method} ${route}`,
    { kind: SpanKind.SERVER, startTime: Date.now() - reply.elapsedTime },
    parent,
  )
  // An invalid context means that no OpenTelemetry SDK is registered.
  if (!isSpanContextValid(span.spanContext())) {
    done()
    return
  }
  span.setAttributes({
    'http.request.method': request.method,
    'http.route': route,
    'plumb.request': request.id,
    ...(client.certname !== undefined && { 'plumb.client': client.certname }),
  })
  spans.set(request, span)
  context.with(trace.setSpan(parent, span), done)
}

/** Ends the span of each request. */
export const requestSpans: RequestObserver = {
  ended({ status }, request) {
    const span = spans.get(request)
    if (!span) return
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  },
}

/**
 * True if the client's `traceparent` header is accepted, which sets the trace id and the sampling. The header is
 * ignored if the client is a node: a node could force sampling of its requests or corrupt other traces.
 */
function canStartTrace(client: Client): boolean {
  return isAdministrator(client) || client.token !== undefined
}
