import { isMatch } from '../../language/ruby-semantics/regexp/match.ts'
import { Hash } from '../../language/values/hash.ts'
import { Regexp } from '../../language/values/regexp.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import type { LayerKind } from './config.ts'
import { createSeparateInvocation, explainStep, type LookupInvocation } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import type { LookupResult } from './lookup-result.ts'
import { getMergeStrategy } from './merge-strategy.ts'

/** `lookup_options` by key. A key that begins with `^` is a pattern; exact keys have priority over patterns. */
export class LookupOptions {
  readonly #exact: Hash
  readonly #patterns: readonly (readonly [Regexp, Value])[]

  constructor(options: Hash) {
    const entries = [...options]
    const isPatternKey = ([key]: readonly [Value, Value]): boolean => String(key).startsWith('^')
    this.#exact = Hash.of(entries.filter((entry) => !isPatternKey(entry)))
    this.#patterns = entries.filter(isPatternKey).map(([key, value]) => [new Regexp(String(key)), value])
  }

  /** Returns the options for a key; `undefined` if there are none. */
  of(key: string): Hash | undefined {
    const found = this.#exact.get(key) ?? this.#patterns.find(([pattern]) => isMatch(pattern, key))?.[1]
    return found instanceof Hash ? found : undefined
  }
}

/**
 * Validates the `lookup_options` of one layer. A module may only have options for its own keys. Throws
 * LOOKUP_OPTIONS_….
 */
export function validateLookupOptions(value: Value, module: string | undefined): Hash | undefined {
  if (value === undefined) return undefined
  if (!(value instanceof Hash)) return failWithoutLocation(hieraIssues.LOOKUP_OPTIONS_NO_HASH, {})
  if (module === undefined) return value
  for (const key of value.keys().map(String)) {
    if (key.startsWith('^')) {
      if (!key.slice(1).startsWith(`${module}::`)) failWithoutLocation(hieraIssues.LOOKUP_OPTIONS_PATTERN, { module })
    } else if (!key.startsWith(`${module}::`)) failWithoutLocation(hieraIssues.LOOKUP_OPTIONS_KEY, { module })
  }
  return value
}

/** Reads the value of `lookup_options` in a layer; `module` selects the module layer. */
export type ReadLookupOptions = (
  kind: LayerKind,
  module: string | undefined,
  invocation: LookupInvocation,
) => LookupResult

const hashMerge = getMergeStrategy('hash')

/**
 * `lookup_options` of all layers, merged for each module and read once. Options of the global layer override options of
 * the environment; both override options of the module. Puppet: pops/lookup/lookup_adapter.rb.
 */
export class LayeredLookupOptions {
  readonly #read: ReadLookupOptions
  /** Merged options by module. The module is `undefined` for lookup keys without a module. */
  readonly #merged = new Map<string | undefined, LookupOptions>()
  #global: { readonly options: Hash | undefined } | undefined
  #environment: { readonly options: Hash | undefined } | undefined

  constructor(read: ReadLookupOptions) {
    this.#read = read
  }

  /** Returns the options for the keys of a module, or for keys without a module. Throws LOOKUP_OPTIONS_…. */
  forModule(module: string | undefined, asking: LookupInvocation): LookupOptions {
    const known = this.#merged.get(module)
    if (known) return known
    const invocation = createSeparateInvocation(asking)
    return explainStep(invocation, { kind: 'search', key: 'lookup_options' }, () => {
      if (invocation.globalOnly) return new LookupOptions(this.#readGlobal(invocation) ?? Hash.empty)
      const environment = this.#readEnvironment(invocation)
      if (!this.#merged.has(undefined)) this.#merged.set(undefined, new LookupOptions(environment ?? Hash.empty))
      if (module === undefined) return this.#merged.get(undefined)!
      const options = new LookupOptions(this.#mergeModule(module, environment, invocation) ?? Hash.empty)
      this.#merged.set(module, options)
      return options
    })
  }

  #readGlobal(invocation: LookupInvocation): Hash | undefined {
    this.#global ??= { options: this.#readLayer('global', undefined, invocation) }
    return this.#global.options
  }

  #readEnvironment(invocation: LookupInvocation): Hash | undefined {
    if (!this.#environment) {
      const above = this.#readGlobal(invocation)
      const own = this.#readLayer('environment', undefined, invocation)
      this.#environment = { options: above && own ? own.merge(above) : (own ?? above) }
    }
    return this.#environment.options
  }

  #mergeModule(module: string, above: Hash | undefined, invocation: LookupInvocation): Hash | undefined {
    const own = this.#readLayer('module', module, invocation)
    if (!above || !own) return own ?? above
    const sources: readonly (readonly [string, Hash])[] = [
      ['Global and Environment', above],
      [`Module ${module}`, own],
    ]
    const merged = hashMerge.lookup(
      sources,
      ([name, value]) =>
        explainStep(invocation, { kind: 'scope', name }, () => {
          invocation.explainer?.report({ event: 'found', key: 'lookup_options', value })
          return { value }
        }),
      invocation,
    )
    return merged?.value as Hash
  }

  #readLayer(kind: LayerKind, module: string | undefined, invocation: LookupInvocation): Hash | undefined {
    return validateLookupOptions(this.#read(kind, module, invocation)?.value, module)
  }
}
