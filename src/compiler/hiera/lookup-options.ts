import { isMatch } from '../../language/ruby-semantics/regexp/match.ts'
import { Hash } from '../../language/values/hash.ts'
import { Regexp } from '../../language/values/regexp.ts'
import type { Value } from '../../language/values/value.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import { hieraIssues } from './issues.ts'

/** `lookup_options` by key; a name that begins with `^` is a pattern, and comes after exact names. */
export class LookupOptions {
  readonly #exact: Hash
  readonly #patterns: readonly (readonly [Regexp, Value])[]

  constructor(options: Hash) {
    const entries = [...options]
    const isPattern = ([key]: readonly [Value, Value]): boolean => String(key).startsWith('^')
    this.#exact = Hash.of(entries.filter((entry) => !isPattern(entry)))
    this.#patterns = entries.filter(isPattern).map(([key, value]) => [new Regexp(String(key)), value])
  }

  /** The options for a key; `undefined` where there are none. */
  of(key: string): Hash | undefined {
    const found = this.#exact.get(key) ?? this.#patterns.find(([pattern]) => isMatch(pattern, key))?.[1]
    return found instanceof Hash ? found : undefined
  }
}

/** `lookup_options` as one layer gives them; a module may speak of its own keys only. Throws LOOKUP_OPTIONS_… */
export function validOptions(value: Value, module: string | undefined): Hash | undefined {
  if (value === undefined) return undefined
  if (!(value instanceof Hash)) return failVerbatim(hieraIssues.LOOKUP_OPTIONS_NO_HASH, {})
  if (module === undefined) return value
  for (const key of value.keys().map(String)) {
    if (key.startsWith('^')) {
      if (!key.slice(1).startsWith(`${module}::`)) failVerbatim(hieraIssues.LOOKUP_OPTIONS_PATTERN, { module })
    } else if (!key.startsWith(`${module}::`)) failVerbatim(hieraIssues.LOOKUP_OPTIONS_KEY, { module })
  }
  return value
}
