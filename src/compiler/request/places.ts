import { positionOf, type Span } from '../../base/source.ts'

/** Returns the place of a declaration as in messages, `(file: F, line: L)`; empty if it is unknown. */
export function placeOf(span: Span | undefined): string {
  if (!span) return ''
  const { line } = positionOf(span.source, span.start)
  return span.source.file === undefined ? `(line: ${line})` : `(file: ${span.source.file}, line: ${line})`
}

/** Appends the place to a message. */
export function withPlace(message: string, span: Span | undefined): string {
  const place = placeOf(span)
  return place === '' ? message : `${message} ${place}`
}
