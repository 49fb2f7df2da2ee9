import { dottedNameGlob } from '../../base/text/glob.ts'

/** A pattern for node names, titles or references. */
export interface NamePattern {
  matches(name: string): boolean
}

/**
 * Parses a pattern: `*` matches any characters, `?` one character, as in `File[/srv/*]`. Throws
 * GLOB_TOO_LONG.
 */
export function namePattern(text: string): NamePattern {
  return dottedNameGlob(text.replace(/[[\]\\]/g, '\\$&'))
}

/** Returns true if a pattern matches the name, or if there are no patterns. */
export function matchesAny(patterns: readonly NamePattern[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern.matches(name))
}
