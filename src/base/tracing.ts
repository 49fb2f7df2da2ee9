import { type Attributes, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** Our tracer. Where nobody has registered an SDK of OpenTelemetry, its spans are nothing, and cost next to nothing. */
export const tracer = trace.getTracer('plumbline')

/** Does work within a span, whose parent is the one that is active. The span of work that fails says so, and not why. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // The words of an error may quote code and data: they are in the log.
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
