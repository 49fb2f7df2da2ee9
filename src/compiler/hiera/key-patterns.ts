import { type Issue, PuppetError } from '../../base/issue.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { findAllMatches, findMatch } from '../../language/ruby-semantics/regexp/match.ts'
import type { Hash } from '../../language/values/hash.ts'
import { Regexp } from '../../language/values/regexp.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'

/** Error for a pattern that is not a regular expression. */
export type PatternIssue = Issue<{ readonly option: string; readonly why: string }>

/**
 * Returns the sources of the patterns in an option; `undefined` without the option. `name` is the backend in messages.
 * Throws RUNTIME_ERROR, or `invalid`.
 */
export function readPatterns(
  options: Hash,
  option: string,
  name: string,
  invalid: PatternIssue,
): readonly string[] | undefined {
  const given = options.get(option)
  if (given === undefined || given === false) return undefined
  if (!Array.isArray(given)) return throwArgumentError(`[${name}] ${option} must be an array`)
  try {
    for (const source of given) findMatch(new Regexp(String(source)), '')
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return failWithoutLocation(invalid, { option, why: error.diagnostic.message })
  }
  return given.map(String)
}

/** Joins patterns as alternatives, as Ruby's `Regexp.union` does; without patterns, the result matches nothing. */
export function uniteRegexps(sources: readonly string[]): Regexp {
  return new Regexp(sources.length === 0 ? '(?!)' : sources.map((source) => `(?-mix:${source})`).join('|'))
}

/** True if the first match of the pattern is the whole key. */
export function matchesWholeKey(pattern: Regexp, key: string): boolean {
  return findMatch(pattern, key)?.groups[0] === key
}

/** Returns the text without the matches of a pattern, as Ruby's `gsub(pattern, '')` does. */
export function removeMatches(text: string, pattern: Regexp): string {
  let kept = ''
  let at = 0
  for (const { index, groups } of findAllMatches(pattern, text)) {
    kept += text.slice(at, index)
    at = index + (groups[0]?.length ?? 0)
  }
  return kept + text.slice(at)
}
