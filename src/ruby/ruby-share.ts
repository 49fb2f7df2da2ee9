import { LRUCache } from 'lru-cache'
import { askThrough, openThreadBridge, type ThreadBridge } from '../base/threads/thread-bridge.ts'
import { imageOf, type RubyImage } from './image.ts'
import type { TypeDescription } from './types.ts'
import { type Distribution, loadDistribution, loadDistributionNow } from './vm/distribution.ts'
import { RubyWatch } from './watch.ts'

/** Resource types as Ruby described them, by the environment, the digest of the Ruby code of its types, and the name. */
export interface TypeDescriptions {
  /** `null` when the code defines no such type; `undefined` when nobody has asked yet. */
  get(key: string): TypeDescription | null | undefined
  set(key: string, description: TypeDescription | null): void
}

/** One thread's part of the Ruby of a process. */
export interface RubyShare {
  /** Told when Ruby runs. */
  readonly watch: RubyWatch | undefined
  /** The number of recalled Ruby calls per repeated call, 0 for no repeated calls; `undefined` where no call is recalled. */
  readonly checkCallsEvery: number | undefined
  /** Loads Ruby when it is first needed. Throws RUBY_MISSING. */
  image(): RubyImage
  readonly types: TypeDescriptions
}

/** A worker's means for Ruby: a bridge to the main thread, whose port belongs in the transfer list, and a watch. */
export interface RubyBridge extends ThreadBridge {
  readonly watch: SharedArrayBuffer
  readonly checkCallsEvery: number | undefined
}

type Question =
  | readonly ['distribution']
  | readonly ['type', key: string]
  | readonly ['learned', key: string, description: TypeDescription | null]

const mostTypes = 4000

/** Ruby for all workers of a process: loaded when the first needs it; what one learns of types, all know. */
export class SharedRuby {
  #distribution: Promise<Distribution> | undefined
  readonly #types = descriptions()
  readonly #checkCallsEvery = checkCallsEvery()

  /** For one worker, whose `watch` it is. */
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

/** A worker's share. */
export function sharedRuby(bridge: RubyBridge): RubyShare {
  const ask = askThrough<Question, unknown>(bridge)
  const own = descriptions()
  return {
    watch: new RubyWatch(bridge.watch),
    checkCallsEvery: bridge.checkCallsEvery,
    image: once(() => imageOf(ask(['distribution']) as Distribution)),
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

/** The Ruby of a thread that has it for itself. */
export const ownRuby: RubyShare = {
  watch: undefined,
  checkCallsEvery: checkCallsEvery(),
  image: once(() => imageOf(loadDistributionNow())),
  types: descriptions(),
}

/** One in two thousand, or as the environment says: `off` for no traces, `check` for each call. */
function checkCallsEvery(): number | undefined {
  const wanted = process.env['PLUMB_TRACES']
  return wanted === 'off' ? undefined : wanted === 'check' ? 1 : 2000
}

function descriptions(): TypeDescriptions {
  const known = new LRUCache<string, { readonly description: TypeDescription | null }>({ max: mostTypes })
  return {
    get: (key) => known.get(key)?.description,
    set: (key, description) => void known.set(key, { description }),
  }
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: make() }
    return made.result
  }
}
