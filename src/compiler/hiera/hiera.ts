import { createDiagnostic, PuppetError } from '../../base/issue.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import { newFunction } from '../../language/functions/new.ts'
import type { CallContext, EvaluationHost, LookupQuery } from '../../language/host.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { toText } from '../../language/types/printing/text.ts'
import { hasSensitive } from '../../language/values/find-sensitive.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import type { LayerKind } from './config.ts'
import { createFunctionOperations } from './data-function-operations.ts'
import type { Explainer } from './explainer.ts'
import {
  checkRecursion,
  createSeparateInvocation,
  explainStep,
  type LookupInvocation,
  withLookupName,
} from './invocation.ts'
import { hasNoPuppetCode, hieraIssues } from './issues.ts'
import { type HieraCode, type Layer, Layers } from './layers.ts'
import { FunctionData, type LookupContext } from './lookup-context.ts'
import { digIntoValue, type LookupKey, parseLookupKey } from './lookup-key.ts'
import { LayeredLookupOptions, LookupOptions, validateLookupOptions } from './lookup-options.ts'
import type { LookupResult } from './lookup-result.ts'
import { getMergeStrategy, type MergeStrategy } from './merge-strategy.ts'

/** Data lookups for one catalog. */
export interface Hiera {
  /** Looks up a key in all layers; merges and converts the values as the query or `lookup_options` specify. */
  lookup(query: LookupQuery, scope: Scope, explainer?: Explainer): { found: true; value: Value } | { found: false }
  /** Returns a `Puppet::LookupContext` with its own cache, for code that creates a context itself. */
  contextFor(module: string | undefined, context: CallContext): LookupContext
}

/** Options of Hiera. */
export interface HieraOptions {
  /** Folders on the server from which private keys for encrypted data may be read; empty by default. */
  readonly keyFolders?: readonly string[]
}

/** Creates Hiera 5 for the global, environment and module layers. The caches are for one catalog. */
export function createHiera(code: HieraCode, host: EvaluationHost, { keyFolders = [] }: HieraOptions = {}): Hiera {
  const warnDeprecatedFile = (path: string): void => {
    if (host.strict === 'off') return
    host.warn({
      ...createDiagnostic(hieraIssues.LOOKUP_HIERA_VERSION_4, { path }, undefined, 'deprecation'),
      once: true,
    })
  }
  const lookups = new Lookups(code, keyFolders, warnDeprecatedFile)
  // A data function may call `lookup`, too. That nested lookup is part of the lookup that called the function.
  let current: LookupInvocation | undefined
  return {
    lookup({ key, merge, override, defaultValues, legacy }, scope, explainer = current?.explainer) {
      const outer = current
      const context: CallContext = { host, scope, span: undefined }
      const globalOnly = (outer?.globalOnly ?? false) || (legacy === true && !lookups.hasEnvironmentData())
      const names = outer?.names ?? []
      current = { context, override, defaultValues, names, explainer, globalOnly }
      try {
        const found = lookups.find(parseLookupKey(key), merge, current)
        return found ? { found: true, value: found.value } : { found: false }
      } finally {
        current = outer
      }
    },
    contextFor(module, context) {
      const { name: environment, tree } = code
      const abilities = createFunctionOperations(
        { environment, module, trees: [tree], keyFolders: [] },
        lookups.findAnother,
      )
      return new FunctionData(abilities).contextFor(
        current ?? createSeparateInvocation({ context }),
        current !== undefined,
      )
    },
  }
}

/** The layers in the order in which they are searched. */
const layerKinds: readonly LayerKind[] = ['global', 'environment', 'module']

const optionsKey = parseLookupKey('lookup_options')
const hashMerge = getMergeStrategy('hash')

class Lookups {
  readonly #layers: Layers
  readonly #options: LayeredLookupOptions
  readonly #defaultOptions = new Map<string, LookupOptions>()

  constructor(code: HieraCode, keyFolders: readonly string[], deprecated: (path: string) => void) {
    this.#layers = new Layers(code, keyFolders, this.findAnother, deprecated)
    this.#options = new LayeredLookupOptions((kind, module, invocation) =>
      this.#inKind(kind, optionsKey, module, hashMerge, invocation),
    )
  }

  /** Looks up the key of an interpolation such as `%{lookup('key')}`. */
  readonly findAnother = (key: string, invocation: LookupInvocation): LookupResult =>
    this.find(parseLookupKey(key), undefined, invocation)

  hasEnvironmentData(): boolean {
    return this.#layers.environment() !== undefined
  }

  find(key: LookupKey, merge: Value, invocation: LookupInvocation): LookupResult {
    const { explainer } = invocation
    if (key.root === 'lookup_options') {
      explainer?.add({ kind: 'invalid_key', key: 'lookup_options' })
      return undefined
    }
    if (explainer?.onlyOptions) {
      this.#findData(optionsKey, key.module, hashMerge, invocation)
      return { value: undefined }
    }
    const options = this.#options.forModule(key.module, invocation).of(key.root)
    const chosen = merge ?? options?.get('merge')
    if (merge === undefined && chosen !== undefined) explainer?.add({ kind: 'merge_source', source: 'lookup_options' })
    const found = explainStep(
      invocation,
      { kind: 'search', key: key.text },
      () => this.#findData(key, key.module, getMergeStrategy(chosen), invocation) ?? this.#findDefault(key, invocation),
    )
    const conversion = options?.get('convert_to')
    if (!found || conversion === undefined) return found
    // The explanation is redacted before the conversion, since the conversion may fail.
    if (toText(conversion).includes('Sensitive')) explainer?.redactLast()
    const converted = this.#converted(key, found.value, conversion, invocation)
    if (hasSensitive(converted?.value)) explainer?.redactLast()
    return converted
  }

  #findData(
    key: LookupKey,
    module: string | undefined,
    strategy: MergeStrategy,
    invocation: LookupInvocation,
  ): LookupResult {
    const found = invocation.globalOnly
      ? this.#inGlobal(key, strategy, invocation)
      : strategy.lookup(layerKinds, (kind) => this.#inKind(kind, key, module, strategy, invocation), invocation)
    return found && digIntoValue(key.text, key.segments, found.value, invocation)
  }

  #inKind(
    kind: LayerKind,
    key: LookupKey,
    module: string | undefined,
    strategy: MergeStrategy,
    invocation: LookupInvocation,
  ): LookupResult {
    if (kind === 'global') return this.#inGlobal(key, strategy, invocation)
    const layer = kind === 'environment' ? this.#layers.environment() : this.#moduleLayer(module, invocation)
    return this.#inLayer(layer, key, strategy, invocation)
  }

  /**
   * Looks up a key in the global layer. Errors in this layer, and only in this layer, contain the key and the location
   * of the caller. Puppet: lookup_adapter.rb, `lookup_global`.
   */
  #inGlobal(key: LookupKey, strategy: MergeStrategy, invocation: LookupInvocation): LookupResult {
    try {
      checkRecursion(invocation, key.text)
      return this.#inLayer(this.#layers.global(), key, strategy, invocation)
    } catch (error) {
      if (!(error instanceof PuppetError) || !hasNoPuppetCode(error)) throw error
      const { code } = hieraIssues.LOOKUP_FAILED
      const message = hieraIssues.LOOKUP_FAILED.text({ key: key.text, detail: error.message })
      throw new PuppetError({ ...error.diagnostic, code, message, span: undefined }, { cause: error })
    }
  }

  /**
   * Returns the layer of a module; `undefined` if there is none. An explanation then contains the reason, as in Puppet.
   */
  #moduleLayer(module: string | undefined, { explainer }: LookupInvocation): Layer | undefined {
    if (module === undefined) return undefined
    const layer = this.#layers.module(module)
    if (layer) return layer
    const event = this.#layers.hasModule(module) ? 'module_provider_not_found' : 'module_not_found'
    explainer?.add({ kind: 'module', name: module }, { event })
    return undefined
  }

  #inLayer(
    layer: Layer | undefined,
    key: LookupKey,
    strategy: MergeStrategy,
    invocation: LookupInvocation,
  ): LookupResult {
    if (!layer) return undefined
    const { step, levels } = layer
    if (levels.length === 0 && !invocation.explainer) return undefined
    return withLookupName(invocation, key.text, () =>
      explainStep(invocation, step, () => {
        if (levels.length === 0) invocation.explainer?.report({ event: 'not_found', key: key.text })
        return strategy.lookup(levels, (level) => level.find(key, strategy, invocation), invocation)
      }),
    )
  }

  /** Looks up a key in the `default_hierarchy` of the key's module, if no layer has a value. */
  #findDefault(key: LookupKey, invocation: LookupInvocation): LookupResult {
    const { module } = key
    if (module === undefined || invocation.globalOnly) return undefined
    const layer = this.#layers.module(module)
    const defaults = layer?.defaults
    if (!layer || !defaults) return undefined
    const lookUpDefault = (wanted: LookupKey, strategy: MergeStrategy, asker: LookupInvocation): LookupResult =>
      explainStep(asker, { kind: 'scope', name: `Searching for "${wanted.text}"` }, () =>
        withLookupName(asker, wanted.text, () =>
          explainStep(asker, layer.step, () =>
            strategy.lookup(defaults, (level) => level.find(wanted, strategy, asker), asker),
          ),
        ),
      )
    const title = `Searching default_hierarchy of module "${module}"`
    const found = explainStep(invocation, { kind: 'scope', name: title }, () => {
      let options = this.#defaultOptions.get(module)
      if (!options) {
        const given = lookUpDefault(optionsKey, hashMerge, createSeparateInvocation(invocation))
        options = new LookupOptions(validateLookupOptions(given?.value, module) ?? Hash.empty)
        this.#defaultOptions.set(module, options)
      }
      return lookUpDefault(key, getMergeStrategy(options.of(key.root)?.get('merge')), invocation)
    })
    return found && digIntoValue(key.text, key.segments, found.value, invocation)
  }

  #converted(key: LookupKey, value: Value, conversion: Value, { context, explainer }: LookupInvocation): LookupResult {
    const [target, ...more] = Array.isArray(conversion) ? (conversion as readonly Value[]) : [conversion]
    const { host, scope } = context
    const type = typeof target === 'string' ? parseConvertType(target, key, context) : target
    try {
      const converted = (host.findFunction('new', scope) ?? newFunction).call(context, [type, value, ...more])
      explainer?.say(`Applying convert_to lookup_option with arguments ${toText([type, ...more])}`)
      return { value: converted }
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      return failWithoutLocation(hieraIssues.LOOKUP_CONVERT_TO, { key: key.text, detail: error.diagnostic.message })
    }
  }
}

function parseConvertType(text: string, key: LookupKey, { host, scope }: CallContext): Type {
  try {
    return parseType(text, (name) => host.findType(name, scope))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return failWithoutLocation(hieraIssues.LOOKUP_CONVERT_TO_TYPE, {
      key: key.text,
      type: text,
      detail: error.diagnostic.message,
    })
  }
}
