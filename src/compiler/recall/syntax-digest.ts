import { hash } from 'node:crypto'
import type { Diagnostic } from '../../base/issue.ts'
import { lineOf, type Span } from '../../base/source.ts'
import { Regexp } from '../../language/values/regexp.ts'

/** Digest of parts of a syntax tree, including line numbers, which catalogs contain, but not columns. */
export function syntaxDigest(parts: unknown): string {
  return hash('sha256', JSON.stringify(parts, plain), 'base64')
}

/** Warnings about code in the form in which they are logged. */
export function warningsAsSaid(warnings: readonly Diagnostic[]): readonly unknown[] {
  return warnings.map(({ message, span }) => [message, span && lineOf(span)])
}

function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value === undefined) return null
  if (value instanceof Regexp) return { regexp: value.source }
  return key === 'span' ? lineOf(value as Span) : value
}
