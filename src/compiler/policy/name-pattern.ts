import { dottedNameGlob } from '../../base/text/glob.ts'

/** A pattern of names of nodes, titles or references. */
export interface NamePattern {
  matches(name: string): boolean
}

/** `*` stands for any characters, `?` for one, all others for themselves: `File[/srv/*]`. Throws GLOB_TOO_LONG. */
export function namePattern(text: string): NamePattern {
  return dottedNameGlob(text.replace(/[[\]\\]/g, '\\$&'))
}

/** True where one of the patterns matches, and where there are none. */
export function matchesAny(patterns: readonly NamePattern[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern.matches(name))
}
