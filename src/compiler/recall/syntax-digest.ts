import { hash } from 'node:crypto'
import type { Diagnostic } from '../../base/issue.ts'
import { lineOf, type Span } from '../../base/source.ts'
import { Regexp } from '../../language/values/regexp.ts'

/**
 * Returns a digest of parts of a syntax tree. The digest includes line numbers, since catalogs contain them, but no
 * columns.
 */
export function syntaxDigest(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts, plain), 'base64')
}

/** Returns the parts of warnings that are logged. */
export function warningsAsSaid(warnings: readonly Diagnostic[]): readonly unknown[] {
  return warnings.map(({ message, span }) => [message, span && lineOf(span)])
}

function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value === undefined) return null
  if (value instanceof Regexp) return { regexp: value.source }
  return key === 'span' ? lineOf(value as Span) : value
}
