import { hash } from 'node:crypto'
import type { Diagnostic } from '../../base/issue.ts'
import { getStartLine, type SourceSpan } from '../../base/source.ts'
import { Regexp } from '../../language/values/regexp.ts'

/**
 * Returns a digest of parts of a syntax tree. The digest includes line numbers, since catalogs contain them, but no
 * columns.
 */
export function computeSyntaxDigest(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts, toPlainJson), 'base64')
}

/** Returns those parts of the warnings that appear in logs. */
export function getLoggedWarningParts(warnings: readonly Diagnostic[]): readonly unknown[] {
  return warnings.map(({ message, span }) => [message, span && getStartLine(span)])
}

function toPlainJson(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value === undefined) return null
  if (value instanceof Regexp) return { regexp: value.source }
  return key === 'span' ? getStartLine(value as SourceSpan) : value
}
