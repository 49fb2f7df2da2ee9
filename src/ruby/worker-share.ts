import { LRUCache } from 'lru-cache'
import { createBridgeCaller, openThreadBridge, type ThreadBridge } from '../base/threads/thread-bridge.ts'
import type { TypeDescription } from './resource-types.ts'
import { type RubyImage, toRubyImage } from './ruby-image.ts'
import { RubyWatch } from './run-watch.ts'
import { loadDistribution, loadDistributionSync, type RubyDistribution } from './vm/distribution.ts'

/** Cached descriptions of resource types, by environment, digest of the types' Ruby code, and name. */
export interface TypeDescriptions {
  /** Returns `null` if the code does not define the type; `undefined` if it is not cached. */
  get(key: string): TypeDescription | null | undefined
  set(key: string, description: TypeDescription | null): void
}

/** The Ruby resources of one thread. */
export interface RubyShare {
  /** Tells other threads which Ruby call is running; `undefined` if no thread supervises Ruby. */
  readonly watch: RubyWatch | undefined
  /** Every Nth recalled Ruby call is computed again and compared. 0: no comparison; `undefined`: no recall. */
  readonly checkCallsEvery: number | undefined
  /** Loads Ruby on first use. Throws RUBY_MISSING. */
  image(): RubyImage
  readonly types: TypeDescriptions
}

/**
 * A worker's access to Ruby: a watch, and a bridge to the main thread. The bridge's port must be in the transfer list.
 */
export interface RubyBridge extends ThreadBridge {
  readonly watch: SharedArrayBuffer
  readonly checkCallsEvery: number | undefined
}

type Question =
  | readonly ['distribution']
  | readonly ['type', key: string]
  | readonly ['learned', key: string, description: TypeDescription | null]

const mostTypes = 4000

/** Ruby for all workers of a process: loaded on first use; descriptions of types are shared. */
export class SharedRuby {
  #distribution: Promise<RubyDistribution> | undefined
  readonly #types = createTypeDescriptions()
  readonly #checkCallsEvery = getCheckInterval()

  /** Opens a bridge for one worker with this watch. */
  bridge(watch: RubyWatch): RubyBridge {
    const bridge = openThreadBridge((question: Question) => this.#answer(question))
    return { ...bridge, watch: watch.memory, checkCallsEvery: this.#checkCallsEvery }
  }

  async #answer([kind, key = '', description]: Question): Promise<unknown> {
    if (kind === 'type') return this.#types.get(key)
    if (kind === 'learned') return void this.#types.set(key, description ?? null)
    this.#distribution ??= loadDistribution()
    return this.#distribution
  }
}

/** Returns the Ruby resources of a worker, which it gets through the bridge. */
export function createWorkerShare(bridge: RubyBridge): RubyShare {
  const ask = createBridgeCaller<Question, unknown>(bridge)
  const own = createTypeDescriptions()
  return {
    watch: new RubyWatch(bridge.watch),
    checkCallsEvery: bridge.checkCallsEvery,
    image: memoize(() => toRubyImage(ask(['distribution']) as RubyDistribution)),
    types: {
      get(key) {
        const known = own.get(key)
        if (known !== undefined) return known
        const told = ask(['type', key]) as TypeDescription | null | undefined
        if (told !== undefined) own.set(key, told)
        return told
      },
      set(key, description) {
        own.set(key, description)
        ask(['learned', key, description])
      },
    },
  }
}

/** Ruby resources of a thread that shares none with other threads. */
export const ownRuby: RubyShare = {
  watch: undefined,
  checkCallsEvery: getCheckInterval(),
  image: memoize(() => toRubyImage(loadDistributionSync())),
  types: createTypeDescriptions(),
}

/**
 * Returns the interval of checks: 2000 by default. PLUMB_TRACES overrides it: `off` disables traces, `check` checks
 * each call.
 */
function getCheckInterval(): number | undefined {
  const wanted = process.env['PLUMB_TRACES']
  return wanted === 'off' ? undefined : wanted === 'check' ? 1 : 2000
}

function createTypeDescriptions(): TypeDescriptions {
  const known = new LRUCache<string, { readonly description: TypeDescription | null }>({ max: mostTypes })
  return {
    get: (key) => known.get(key)?.description,
    set: (key, description) => void known.set(key, { description }),
  }
}

function memoize<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: make() }
    return made.result
  }
}
