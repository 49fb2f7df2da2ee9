import { positionOf, type Span } from '../../base/source.ts'

/** `(file: F, line: L)`, as messages say where something was declared; empty when nobody knows. */
export function placeOf(span: Span | undefined): string {
  if (!span) return ''
  const { line } = positionOf(span.source, span.start)
  return span.source.file === undefined ? `(line: ${line})` : `(file: ${span.source.file}, line: ${line})`
}

/** A message and the place behind it. */
export function withPlace(message: string, span: Span | undefined): string {
  const place = placeOf(span)
  return place === '' ? message : `${message} ${place}`
}
