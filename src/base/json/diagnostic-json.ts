import type { Diagnostic, Severity } from '../issue.ts'
import { getLineAndColumn } from '../source.ts'
import type { Json } from './json-checks.ts'

/** JSON form of a diagnostic. Lines and columns count from 1; the end position is exclusive. */
export type DiagnosticJson = {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly span: Readonly<Record<string, Json>> | null
  readonly hint: string | null
}

/** Converts a diagnostic to JSON, for editors and other programs. */
export function toDiagnosticJson({ code, severity, message, span, hint, wholeFile }: Diagnostic): DiagnosticJson {
  const said = { code, severity, message, hint: hint ?? null }
  if (!span) return { ...said, span: null }
  const file = span.source.file ?? null
  if (wholeFile) return { ...said, span: { file } }
  const end = getLineAndColumn(span.source, span.end)
  const place = { file, ...getLineAndColumn(span.source, span.start), end_line: end.line, end_column: end.column }
  return { ...said, span: place }
}
