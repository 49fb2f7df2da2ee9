import { diagnose } from '../../base/issue.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import type { CallContext } from '../../language/host.ts'
import { refuse } from '../../language/ruby-semantics/argument-error.ts'
import { infer } from '../../language/types/infer.ts'
import { isInstance } from '../../language/types/is-instance.ts'
import { HASH } from '../../language/types/make.ts'
import { printType } from '../../language/types/printing/print.ts'
import { RICH_DATA } from '../../language/types/well-known.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import { RubyError } from '../../ruby/machine.ts'
import { RubyFunction } from '../../ruby/session/functions.ts'
import { abilitiesAt } from './abilities.ts'
import type { Backend } from './backend.ts'
import { backends } from './backends.ts'
import { type HierarchyEntry, inFile } from './config.ts'
import { missingPath, readDataFile } from './data-files.ts'
import { dataFunctions } from './data-functions.ts'
import type { Step } from './explainer.ts'
import type { Found } from './found.ts'
import { interpolate, type LookupAnother } from './interpolation.ts'
import { explained, type Invocation, reported } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import { type Ground, type Located, type Location, resolveLocations } from './locations.ts'
import { FunctionData, NotFoundSignal } from './lookup-context.ts'
import type { LookupKey } from './lookup-key.ts'
import type { MergeStrategy } from './merge-strategy.ts'

/** The layer that contains a level, and the files that the level may read. */
export interface LevelPlace {
  readonly ground: Ground
  readonly module: string | undefined
  readonly environment: string
  /** Folders on the server from which private keys may be read. */
  readonly keyFolders: readonly string[]
}

/** One level of a hierarchy; caches results for one catalog. */
export class Level {
  readonly #entry: HierarchyEntry
  readonly #place: LevelPlace
  readonly #lookup: LookupAnother
  readonly #step: Step
  readonly #hashes = new Map<string, Hash>()
  readonly #functionData = new Map<string, FunctionData>()
  readonly #located: Located = new Map()

  constructor(entry: HierarchyEntry, place: LevelPlace, lookup: LookupAnother) {
    this.#entry = entry
    this.#place = place
    this.#lookup = lookup
    this.#step = { kind: 'data_provider', name: `Hierarchy entry "${entry.name}"` }
  }

  /** Returns the value of a key at this level, merged over its locations. */
  find(key: LookupKey, strategy: MergeStrategy, invocation: Invocation): Found {
    const { locations, datadir } = this.#entry
    const places = resolveLocations(locations, datadir, this.#place.ground, invocation, this.#located) ?? [undefined]
    return explained(invocation, this.#step, () =>
      strategy.lookup(places, (place) => this.#findAt(key, place, invocation), invocation),
    )
  }

  #findAt(key: LookupKey, place: Location | undefined, invocation: Invocation): Found {
    if (!place) return this.#findIn(key, place, invocation)
    return explained(invocation, stepOf(place), () => {
      if (place.kind === 'uri' || place.exists) return this.#findIn(key, place, invocation)
      invocation.explainer?.report({ event: 'location_not_found' })
      return undefined
    })
  }

  #findIn(key: LookupKey, place: Location | undefined, invocation: Invocation): Found {
    const { kind } = this.#entry
    if (kind === 'data_hash') return reported(invocation, key.root, this.#inHash(key, place, invocation))
    const found = this.#remembered(key, place, invocation)
    if (kind === 'lookup_key') return reported(invocation, key.root, found)
    reported(invocation, key.text, found)
    return found && { value: undug(key.segments, found.value) }
  }

  #inHash(key: LookupKey, place: Location | undefined, invocation: Invocation): Found {
    const hash = this.#hashAt(place, invocation)
    if (!hash.has(key.root)) return undefined
    const value = hash.get(key.root)
    this.#checkValue(value, `Value for key '${key.root}', in hash`, place)
    return { value: interpolate(value, invocation, this.#lookup) }
  }

  #hashAt(place: Location | undefined, invocation: Invocation): Hash {
    const id = idOf(place)
    const known = this.#hashes.get(id)
    if (known) return known
    const hash = this.#ownKeys(this.#readHash(place, invocation), place, invocation)
    this.#hashes.set(id, hash)
    return hash
  }

  #readHash(place: Location | undefined, invocation: Invocation): Hash {
    const { functionName } = this.#entry
    const backend = backends.get(functionName)
    if (backend) return this.#readFile(backend, place, invocation)
    const args = this.#arguments([], place, invocation)
    const value = this.#saying(() => this.#function(invocation).call(invocation.context, args))
    if (value instanceof Hash) return value
    const subject = `Value returned from ${this.#title()}${placeText(place)}`
    assertInstance(subject, HASH, value, (message) => failVerbatim(hieraIssues.LOOKUP_WRONG_VALUE, { message }))
    return Hash.empty
  }

  #readFile(backend: Backend, place: Location | undefined, { context }: Invocation): Hash {
    if (place?.kind !== 'file') return refuse(`'${backend.name}' ${missingPath}`)
    return readDataFile(backend, place.path, this.#place.ground.trees, context)
  }

  /** Removes keys of other modules, and logs a warning for each: a module may define data only for its own keys. */
  #ownKeys(hash: Hash, place: Location | undefined, { context: { host, span } }: Invocation): Hash {
    const { module } = this.#place
    if (module === undefined) return hash
    const isOwn = (key: Value): boolean => key === 'lookup_options' || String(key).startsWith(`${module}::`)
    const foreign = hash.keys().filter((key) => !isOwn(key))
    const what = `Value returned from ${this.#title()}${placeText(place)}`
    for (const _ of foreign) host.warn(diagnose(hieraIssues.LOOKUP_FOREIGN_KEY, { module, what }, span, 'warning'))
    return foreign.length === 0 ? hash : hash.without(foreign)
  }

  /**
   * Returns the result of a `lookup_key` or `data_dig` function. Results are cached, so that each key is looked up
   * once.
   */
  #remembered(key: LookupKey, place: Location | undefined, invocation: Invocation): Found {
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

  #ask(key: LookupKey, place: Location | undefined, invocation: Invocation): Found {
    const asked = this.#entry.kind === 'lookup_key' ? key.root : [key.root, ...key.segments]
    const args = this.#arguments([asked], place, invocation)
    try {
      const found = this.#saying(() => answerOf(this.#function(invocation), invocation.context, args))
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
      return failVerbatim(hieraIssues.LOOKUP_WRONG_VALUE, { message: error.diagnostic.message })
    }
  }

  #arguments(first: readonly Value[], place: Location | undefined, invocation: Invocation): Value[] {
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
    const id = idOf(place)
    let data = this.#functionData.get(id)
    if (!data) {
      data = new FunctionData(abilitiesAt({ ...this.#place, trees: this.#place.ground.trees }, this.#lookup))
      this.#functionData.set(id, data)
    }
    return data
  }

  #function({ context: { host, scope } }: Invocation): Callable {
    const { functionName: name, kind } = this.#entry
    return (
      dataFunctions.get(name) ??
      host.findFunction(name, scope) ??
      inFile(this.#place.ground.file, () =>
        failVerbatim(hieraIssues.LOOKUP_HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND, {
          kind,
          name,
          known: [...dataFunctions.keys(), ...host.functionNames()],
        }),
      )
    )
  }

  #checkValue(value: Value, what: string, place: Location | undefined): void {
    if (isInstance(RICH_DATA, value)) return
    const message = `${what} returned from ${this.#title()}${placeText(place)} has wrong type, expects Puppet::LookupValue, got ${printType(infer(value))}`
    failVerbatim(hieraIssues.LOOKUP_WRONG_VALUE, { message })
  }

  #title(): string {
    return `${this.#entry.kind} function '${this.#entry.functionName}'`
  }
}

function stepOf(place: Location): Step {
  const { original } = place
  return place.kind === 'file'
    ? { kind: 'path', original, location: place.path }
    : { kind: 'uri', original, location: place.uri }
}

function idOf(place: Location | undefined): string {
  if (!place) return ''
  return place.kind === 'file' ? place.path : `uri:${place.uri}`
}

function placeText(place: Location | undefined): string {
  return place ? `, when using location '${place.kind === 'file' ? place.path : place.uri}',` : ''
}

/** Puts a value into new nested hashes and arrays, so that `dig` with these segments returns it. */
function undug(segments: readonly (string | number)[], value: Value): Value {
  return segments.reduceRight<Value>((inner, segment) => {
    if (typeof segment !== 'number') return Hash.from({ [segment]: inner })
    return [...Array<Value>(segment).fill(undefined), inner]
  }, value)
}

/**
 * Calls a data function. For a Ruby function, `find` avoids the exception of `not_found`, which takes longer than a
 * cached call.
 */
function answerOf(asked: Callable, context: CallContext, args: readonly Value[]): Found {
  return asked instanceof RubyFunction ? asked.find(context, args) : { value: asked.call(context, args) }
}
