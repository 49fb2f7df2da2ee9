import { compileDottedNameGlob } from '../../base/text/glob.ts'

/** A pattern that matches node names, titles or references. */
export interface ReferencePattern {
  matches(name: string): boolean
}

/**
 * Parses a pattern such as `File[/srv/*]`: `*` matches any characters, `?` matches one character. Throws GLOB_TOO_LONG.
 */
export function parseReferencePattern(text: string): ReferencePattern {
  return compileDottedNameGlob(text.replace(/[[\]\\]/g, '\\$&'))
}

/** Returns true if at least one pattern matches the name, or if there are no patterns. */
export function matchesAnyPattern(patterns: readonly ReferencePattern[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern.matches(name))
}
