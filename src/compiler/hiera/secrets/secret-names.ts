import type { Hash } from '../../../language/values/hash.ts'
import { Regexp } from '../../../language/values/regexp.ts'
import { matchesWholeKey, type PatternIssue, readPatterns, removeMatches, uniteRegexps } from '../key-patterns.ts'
import type { LookupContext } from '../lookup-context.ts'

/** A backend whose names of secrets consist of fewer characters than keys. */
export interface NamedBackend {
  /** Name for messages. */
  readonly name: string
  /** Matches characters that a name cannot contain. */
  readonly invalid: RegExp
  readonly patternIssue: PatternIssue
}

/**
 * Returns the names of secrets for a key, in the order of lookups: the key without the matches of `strip_from_keys`,
 * after each of the `prefixes`, with `key_replacement_token` for each character that a name cannot contain. Ends the
 * lookup of `lookup_options`, a key of Hiera itself, and of a key that does not match `confine_to_keys`. The options and
 * explanations are those of the module `azure_key_vault`.
 */
export function listSecretNames(
  key: string,
  options: Hash,
  context: LookupContext,
  { name, invalid, patternIssue }: NamedBackend,
): readonly string[] {
  if (key === 'lookup_options') return context.notFound()
  const confined = readPatterns(options, 'confine_to_keys', name, patternIssue)
  if (confined && !matchesWholeKey(uniteRegexps(confined), key)) {
    explain(context, `Skipping ${name} backend because secret_name '${key}' does not match confine_to_keys`)
    return context.notFound()
  }
  const stripped = stripKey(key, readList(options, 'strip_from_keys'), context)
  const token = options.get('key_replacement_token')
  const normalize = (text: string) => text.replace(invalid, () => (typeof token === 'string' ? token : '-'))
  const prefixes = options.get('prefixes')
  if (prefixes !== undefined) return readList(options, 'prefixes').map((prefix) => normalize(prefix + stripped))
  return [normalize(stripped)]
}

/** Adds a text to the explanation of a lookup. */
export function explain(context: LookupContext, text: string): void {
  context.invocation.explainer?.say(text)
}

function stripKey(key: string, patterns: readonly string[], context: LookupContext): string {
  return patterns.reduce((before, pattern) => {
    const after = removeMatches(before, new Regexp(pattern))
    if (after !== before)
      explain(
        context,
        `Stripping the following pattern of ${pattern} from secret_name.  The stripped secret_name has now changed from ${before} to ${after}`,
      )
    return after
  }, key)
}

function readList(options: Hash, name: string): readonly string[] {
  const given = options.get(name)
  return Array.isArray(given) ? given.map(String) : []
}
