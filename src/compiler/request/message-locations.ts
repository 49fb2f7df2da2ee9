import { getLineAndColumn, type SourceSpan } from '../../base/source.ts'

/** Returns the location of a declaration as in messages, `(file: F, line: L)`; empty if the location is unknown. */
export function formatSpanLocation(span: SourceSpan | undefined): string {
  if (!span) return ''
  const { line } = getLineAndColumn(span.source, span.start)
  return span.source.file === undefined ? `(line: ${line})` : `(file: ${span.source.file}, line: ${line})`
}

/** Appends the location to a message. */
export function appendLocation(message: string, span: SourceSpan | undefined): string {
  const place = formatSpanLocation(span)
  return place === '' ? message : `${message} ${place}`
}
