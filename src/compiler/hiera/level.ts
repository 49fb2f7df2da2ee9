import { createDiagnostic } from '../../base/issue.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import type { CallContext } from '../../language/host.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { HASH } from '../../language/types/constructors.ts'
import { inferType } from '../../language/types/infer.ts'
import { isInstance } from '../../language/types/is-instance.ts'
import { printType } from '../../language/types/printing/print.ts'
import { RICH_DATA } from '../../language/types/standard-types.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { RubyError } from '../../ruby/ruby-machine.ts'
import { RubyFunction } from '../../ruby/session/ruby-functions.ts'
import type { Backend } from './backend.ts'
import { backends } from './backends.ts'
import { addFileToErrors, type HierarchyEntry } from './config.ts'
import { missingPath, readDataFile } from './data-files.ts'
import { createFunctionOperations } from './data-function-operations.ts'
import { dataFunctions } from './data-functions.ts'
import type { LookupStep } from './explainer.ts'
import { interpolate, type LookupNestedKey } from './interpolation.ts'
import { explainStep, type LookupInvocation, reportOutcome } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import { type Location, type LocationBase, type LocationCache, resolveLocations } from './locations.ts'
import { FunctionData, NotFoundSignal } from './lookup-context.ts'
import type { LookupKey } from './lookup-key.ts'
import type { LookupResult } from './lookup-result.ts'
import type { MergeStrategy } from './merge-strategy.ts'

/** The layer that contains a level, and the files that the level may read. */
export interface LevelPlace {
  readonly ground: LocationBase
  /** `Global`, `Environment` or `Module NAME`. */
  readonly layer: string
  readonly module: string | undefined
  readonly environment: string
  /** Folders on the server from which private keys may be read. */
  readonly keyFolders: readonly string[]
}

/** One level of a hierarchy; caches results for one catalog. */
export class Level {
  readonly #entry: HierarchyEntry
  readonly #place: LevelPlace
  readonly #lookup: LookupNestedKey
  readonly #step: LookupStep
  readonly #hashes = new Map<string, Hash>()
  readonly #functionData = new Map<string, FunctionData>()
  readonly #located: LocationCache = new Map()

  constructor(entry: HierarchyEntry, place: LevelPlace, lookup: LookupNestedKey) {
    this.#entry = entry
    this.#place = place
    this.#lookup = lookup
    this.#step = { kind: 'data_provider', name: `Hierarchy entry "${entry.name}"` }
  }

  /** Returns the value of a key at this level, merged over its locations. */
  find(key: LookupKey, strategy: MergeStrategy, invocation: LookupInvocation): LookupResult {
    const { profile } = invocation.context.host
    if (!profile) return this.#find(key, strategy, invocation)
    const { name, functionName } = this.#entry
    const title = `${this.#place.layer}: ${name} (${functionName})`
    return profile.measure('Hiera level', title, () => this.#find(key, strategy, invocation))
  }

  #find(key: LookupKey, strategy: MergeStrategy, invocation: LookupInvocation): LookupResult {
    const { locations, datadir } = this.#entry
    const places = resolveLocations(locations, datadir, this.#place.ground, invocation, this.#located) ?? [undefined]
    return explainStep(invocation, this.#step, () =>
      strategy.lookup(places, (place) => this.#findAt(key, place, invocation), invocation),
    )
  }

  #findAt(key: LookupKey, place: Location | undefined, invocation: LookupInvocation): LookupResult {
    if (!place) return this.#findIn(key, place, invocation)
    return explainStep(invocation, createLocationStep(place), () => {
      if (place.kind === 'uri' || place.exists) return this.#findIn(key, place, invocation)
      invocation.explainer?.report({ event: 'location_not_found' })
      return undefined
    })
  }

  #findIn(key: LookupKey, place: Location | undefined, invocation: LookupInvocation): LookupResult {
    const { kind } = this.#entry
    if (kind === 'data_hash') return reportOutcome(invocation, key.root, this.#inHash(key, place, invocation))
    const found = this.#remembered(key, place, invocation)
    if (kind === 'lookup_key') return reportOutcome(invocation, key.root, found)
    reportOutcome(invocation, key.text, found)
    return found && { value: nestValue(key.segments, found.value) }
  }

  #inHash(key: LookupKey, place: Location | undefined, invocation: LookupInvocation): LookupResult {
    const hash = this.#hashAt(place, invocation)
    if (!hash.has(key.root)) return undefined
    const value = hash.get(key.root)
    this.#checkValue(value, `Value for key '${key.root}', in hash`, place)
    return { value: interpolate(value, invocation, this.#lookup) }
  }

  #hashAt(place: Location | undefined, invocation: LookupInvocation): Hash {
    const id = getLocationKey(place)
    const known = this.#hashes.get(id)
    if (known) return known
    const hash = this.#ownKeys(this.#readHash(place, invocation), place, invocation)
    this.#hashes.set(id, hash)
    return hash
  }

  #readHash(place: Location | undefined, invocation: LookupInvocation): Hash {
    const { functionName } = this.#entry
    const backend = backends.get(functionName)
    if (backend) return this.#readFile(backend, place, invocation)
    const args = this.#arguments([], place, invocation)
    const value = this.#saying(() => this.#function(invocation).call(invocation.context, args))
    if (value instanceof Hash) return value
    const subject = `Value returned from ${this.#title()}${formatLocation(place)}`
    assertInstance(subject, HASH, value, (message) => failWithoutLocation(hieraIssues.LOOKUP_WRONG_VALUE, { message }))
    return Hash.empty
  }

  #readFile(backend: Backend, place: Location | undefined, { context }: LookupInvocation): Hash {
    if (place?.kind !== 'file') return throwArgumentError(`'${backend.name}' ${missingPath}`)
    return readDataFile(backend, place.path, this.#place.ground.trees, context)
  }

  /** Removes keys of other modules, and logs a warning for each: a module may define data only for its own keys. */
  #ownKeys(hash: Hash, place: Location | undefined, { context: { host, span } }: LookupInvocation): Hash {
    const { module } = this.#place
    if (module === undefined) return hash
    const isModuleKey = (key: Value): boolean => key === 'lookup_options' || String(key).startsWith(`${module}::`)
    const foreign = hash.keys().filter((key) => !isModuleKey(key))
    const what = `Value returned from ${this.#title()}${formatLocation(place)}`
    for (const _ of foreign)
      host.warn(createDiagnostic(hieraIssues.LOOKUP_FOREIGN_KEY, { module, what }, span, 'warning'))
    return foreign.length === 0 ? hash : hash.without(foreign)
  }

  /**
   * Returns the result of a `lookup_key` or `data_dig` function. Results are cached, so that each key is looked up
   * once.
   */
  #remembered(key: LookupKey, place: Location | undefined, invocation: LookupInvocation): LookupResult {
    const data = this.#dataFor(place)
    const name = this.#entry.kind === 'lookup_key' ? key.root : key.text
    const answers = data.answers
    const known = answers.get(name)
    // A missing value is not cached, since Puppet calls the function again, too.
    if (known) return known
    const found = this.#ask(key, place, invocation)
    if (found) answers.set(name, found)
    return found
  }

  #ask(key: LookupKey, place: Location | undefined, invocation: LookupInvocation): LookupResult {
    const asked = this.#entry.kind === 'lookup_key' ? key.root : [key.root, ...key.segments]
    const args = this.#arguments([asked], place, invocation)
    try {
      const found = this.#saying(() => callDataFunction(this.#function(invocation), invocation.context, args))
      if (found) this.#checkValue(found.value, `Value for key '${asked}',`, place)
      return found
    } catch (signal) {
      if (signal instanceof NotFoundSignal) return undefined
      throw signal
    }
  }

  /** Runs `call`; converts a `DataBinding::LookupError` raised in Ruby to a Plumb error. */
  #saying<Result>(call: () => Result): Result {
    try {
      return call()
    } catch (error) {
      if (!(error instanceof RubyError) || error.kind !== 'Puppet::DataBinding::LookupError') throw error
      return failWithoutLocation(hieraIssues.LOOKUP_WRONG_VALUE, { message: error.diagnostic.message })
    }
  }

  #arguments(first: readonly Value[], place: Location | undefined, invocation: LookupInvocation): Value[] {
    const options = interpolate(this.#entry.options, { ...invocation, explainer: undefined }) as Hash
    const placed =
      place === undefined
        ? options
        : place.kind === 'file'
          ? options.with('path', place.path)
          : options.with('uri', place.uri)
    return [...first, placed, this.#dataFor(place).contextFor(invocation)]
  }

  #dataFor(place: Location | undefined): FunctionData {
    const id = getLocationKey(place)
    let data = this.#functionData.get(id)
    if (!data) {
      data = new FunctionData(
        createFunctionOperations({ ...this.#place, trees: this.#place.ground.trees }, this.#lookup),
      )
      this.#functionData.set(id, data)
    }
    return data
  }

  #function({ context: { host, scope } }: LookupInvocation): Callable {
    const { functionName: name, kind } = this.#entry
    return (
      dataFunctions.get(name) ??
      host.findFunction(name, scope) ??
      addFileToErrors(this.#place.ground.file, () =>
        failWithoutLocation(hieraIssues.LOOKUP_HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND, {
          kind,
          name,
          known: [...dataFunctions.keys(), ...host.functionNames()],
        }),
      )
    )
  }

  #checkValue(value: Value, what: string, place: Location | undefined): void {
    if (isInstance(RICH_DATA, value)) return
    const message = `${what} returned from ${this.#title()}${formatLocation(place)} has wrong type, expects Puppet::LookupValue, got ${printType(inferType(value))}`
    failWithoutLocation(hieraIssues.LOOKUP_WRONG_VALUE, { message })
  }

  #title(): string {
    return `${this.#entry.kind} function '${this.#entry.functionName}'`
  }
}

function createLocationStep(place: Location): LookupStep {
  const { original } = place
  return place.kind === 'file'
    ? { kind: 'path', original, location: place.path }
    : { kind: 'uri', original, location: place.uri }
}

function getLocationKey(place: Location | undefined): string {
  if (!place) return ''
  return place.kind === 'file' ? place.path : `uri:${place.uri}`
}

function formatLocation(place: Location | undefined): string {
  return place ? `, when using location '${place.kind === 'file' ? place.path : place.uri}',` : ''
}

/** Puts a value into new nested hashes and arrays, so that `dig` with these segments returns it. */
function nestValue(segments: readonly (string | number)[], value: Value): Value {
  return segments.reduceRight<Value>((inner, segment) => {
    if (typeof segment !== 'number') return Hash.from({ [segment]: inner })
    return [...Array<Value>(segment).fill(undefined), inner]
  }, value)
}

/**
 * Calls a data function. For a Ruby function, `find` avoids the exception of `not_found`, which takes longer than a
 * cached call.
 */
function callDataFunction(asked: Callable, context: CallContext, args: readonly Value[]): LookupResult {
  return asked instanceof RubyFunction ? asked.find(context, args) : { value: asked.call(context, args) }
}
