import { positionOf, type Span } from '../../base/source.ts'

/** Returns the location of a declaration as in messages, `(file: F, line: L)`; empty if the location is unknown. */
export function placeOf(span: Span | undefined): string {
  if (!span) return ''
  const { line } = positionOf(span.source, span.start)
  return span.source.file === undefined ? `(line: ${line})` : `(file: ${span.source.file}, line: ${line})`
}

/** Appends the location to a message. */
export function withPlace(message: string, span: Span | undefined): string {
  const place = placeOf(span)
  return place === '' ? message : `${message} ${place}`
}
