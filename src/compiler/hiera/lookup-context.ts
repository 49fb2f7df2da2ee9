import { throwIssue } from '../../base/issue.ts'
import { defineFunction, type FunctionBlock } from '../../language/functions/definition/define-function.ts'
import { LOOKUP_CONTEXT } from '../../language/types/objects/builtin-objects.ts'
import { toText } from '../../language/types/printing/text.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import { ObjectValue } from '../../language/values/object.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import type { Backend } from './backend.ts'
import type { LookupInvocation } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import type { LookupResult } from './lookup-result.ts'
import type { KeyFile } from './secrets/key-files.ts'

/** Thrown by `$context.not_found`, to end a data function that has no value for the key. */
export class NotFoundSignal {}

/** Operations that a data function may use. */
export interface FunctionOperations {
  readonly environment: string
  readonly module: string | undefined
  readText(path: string): string | undefined
  /** Finds a file of the code, given its absolute path. */
  findFile(path: string): { readonly oid: string; readText(): string } | undefined
  readHash(backend: Backend, path: string, invocation: LookupInvocation): Hash
  interpolate(value: Value, invocation: LookupInvocation): Value
  /** Locates a file with private keys or a GnuPG home on the server; it must be in an allowed folder. */
  locateKeyFile(path: string): KeyFile
}

/** State of one data function for one location. */
export class FunctionData {
  /** Results that the function returned, by key. */
  readonly answers = new Map<string, LookupResult>()
  readonly abilities: FunctionOperations
  readonly files = new Map<string, Value>()
  cache: Hash = Hash.empty

  constructor(abilities: FunctionOperations) {
    this.abilities = abilities
  }

  /**
   * Returns a `Puppet::LookupContext` for one call. `isAsked` is false for a context created outside of a lookup,
   * where `not_found()` fails.
   */
  contextFor(invocation: LookupInvocation, isAsked = true): LookupContext {
    return new LookupContext(this, invocation, isAsked)
  }
}

/** `Puppet::LookupContext`: the operations that Hiera offers to a data function. */
export class LookupContext extends ObjectValue {
  readonly data: FunctionData
  readonly invocation: LookupInvocation
  readonly #isAsked: boolean

  constructor(data: FunctionData, invocation: LookupInvocation, isAsked: boolean) {
    const { environment, module } = data.abilities
    super(
      LOOKUP_CONTEXT,
      new Map([
        ['environment_name', environment],
        ['module_name', module],
      ]),
    )
    this.data = data
    this.invocation = invocation
    this.#isAsked = isAsked
  }

  /** Returns the data of a file, given its absolute path. */
  readHash(backend: Backend, path: string): Hash {
    return this.data.abilities.readHash(backend, path, this.invocation)
  }

  interpolate(value: Value): Value {
    return this.data.abilities.interpolate(value, this.invocation)
  }

  notFound(): never {
    if (!this.#isAsked) throwIssue(hieraIssues.LOOKUP_NOBODY_ASKS, {})
    throw new NotFoundSignal()
  }

  override get owner(): FunctionData {
    return this.data
  }

  override get isWatched(): boolean {
    return this.invocation.explainer !== undefined
  }

  override method(name: string): Callable | undefined {
    return methods.get(name)
  }
}

/**
 * Methods of the context. The context is their first argument: `$context.cache($key, $value)` calls `cache($context,
 * $key, $value)`.
 */
const methods: ReadonlyMap<string, Callable> = new Map(
  [
    defineFunction('not_found', 'Ends the lookup function: the key has no data.', {
      'Any $context': (context: LookupContext) => context.notFound(),
    }),
    defineFunction('explain', "Adds the block's text to the explanation of the lookup, if there is one.", {
      'Any $context, Callable[0,0] &$block': ({ invocation: { explainer } }: LookupContext, block: FunctionBlock) => {
        if (explainer) explainer.say(toText(block()))
        return undefined
      },
    }),
    defineFunction('interpolate', 'Returns the value with its interpolations resolved.', {
      'Any $context, Any $value': (context: LookupContext, value: Value) => context.interpolate(value),
    }),
    defineFunction('cache', 'Caches a value for a key, and returns the value.', {
      'Any $context, Optional[Scalar] $key, Any $value': ({ data }: LookupContext, key: Value, value: Value) => {
        data.cache = data.cache.with(key, value)
        return value
      },
    }),
    defineFunction('cache_all', 'Caches all entries of a hash.', {
      'Any $context, Hash $hash': ({ data }: LookupContext, hash: Hash) => {
        data.cache = data.cache.merge(hash)
        return undefined
      },
    }),
    defineFunction('cache_has_key', 'Returns true if the cache contains the key.', {
      'Any $context, Optional[Scalar] $key': ({ data }: LookupContext, key: Value) => data.cache.has(key),
    }),
    defineFunction('cached_value', 'Returns the cached value for a key, or undef.', {
      'Any $context, Optional[Scalar] $key': ({ data }: LookupContext, key: Value) => data.cache.get(key),
    }),
    defineFunction('cached_entries', 'Passes all cached entries to the block, or returns them as pairs.', {
      'Any $context, Callable[2,2] &$block': ({ data }: LookupContext, block: FunctionBlock) => {
        for (const [key, value] of data.cache) block(key, value)
        return undefined
      },
      'Any $context, Callable[1,1] &$block': ({ data }: LookupContext, block: FunctionBlock) => {
        for (const entry of data.cache) block(entry)
        return undefined
      },
      'Any $context': ({ data }: LookupContext) => [...data.cache],
    }),
    defineFunction('cached_file_data', "Returns the text of a file, or the block's result for it, from the cache.", {
      'Any $context, String $path, Callable[1,1] &$block?': (
        { data }: LookupContext,
        path: string,
        block?: FunctionBlock,
      ) => {
        if (data.files.has(path)) return data.files.get(path)
        const text = data.abilities.readText(path)
        if (text === undefined) return failWithoutLocation(hieraIssues.LOOKUP_MISSING_FILE, { path })
        const value = block ? block(text) : text
        data.files.set(path, value)
        return value
      },
    }),
  ].map((callable) => [callable.name, callable]),
)
