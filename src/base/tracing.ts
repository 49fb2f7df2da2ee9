import { type Attributes, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** The OpenTelemetry tracer. Without a registered SDK, spans have no effect and almost no cost. */
export const tracer = trace.getTracer('plumbline')

/**
 * Runs work in a span below the active one. If the work fails, the span has the error status
 * without a message.
 */
export function runInSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // Error messages may quote code and data, so they are written only to the log.
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
