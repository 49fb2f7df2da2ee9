import { LRUCache } from 'lru-cache'
import { growingLru } from '../../base/growing-lru.ts'
import type { CompileJob } from './job.ts'

/** The latest slow compilation of a node's catalog; `ended` is false if it did not finish. */
interface Past {
  readonly ended: boolean
  readonly codeId: string | undefined
  /** Number of consecutive slow compilations. */
  readonly times: number
}

/**
 * After this number of consecutive slow compilations, the next is expected to be slow: a single one
 * may be due to code that is new after a push.
 */
const timesInRow = 2

/** Largest number of nodes and environments to remember. */
const mostNodes = 10_000
const mostEnvironments = 1000
/** Milliseconds (one hour) after which a slow node is treated as normal again. */
const memoryMs = 3_600_000
/** Milliseconds; shorter compilations are never slow. */
const leastLongMs = 1000
/**
 * A compilation is slow after this multiple of the usual time; `newest` is the weight of the latest
 * time in the usual time.
 */
const timesUsual = 3
const newest = 1 / 8

/**
 * Remembers the nodes with slow catalogs. After two consecutive slow compilations, the next one is
 * expected to be slow. A compilation that did not finish is expected to fail again with the same
 * code, but not with other code.
 */
export class PastTimes {
  readonly #usual = new LRUCache<string, number>({ max: mostEnvironments })
  readonly #slow = growingLru<Past>(mostNodes, { ttl: memoryMs })

  isSlow(job: CompileJob): boolean {
    const past = this.#slow.get(keyOf(job))
    if (!past) return false
    return past.ended ? past.times >= timesInRow : past.codeId === job.codeId
  }

  /** Returns the milliseconds after which a catalog of this environment is slow; at most `mostMs`. */
  patience({ environment }: CompileJob, mostMs: number): number {
    const usual = this.#usual.get(environment.name) ?? 0
    return Math.min(mostMs, Math.max(leastLongMs, timesUsual * usual))
  }

  /** Records the duration of a compilation in milliseconds. */
  took({ environment }: CompileJob, ms: number): void {
    const usual = this.#usual.get(environment.name) ?? ms
    this.#usual.set(environment.name, usual + (ms - usual) * newest)
  }

  /** Records a slow compilation. */
  slow(job: CompileJob, ended: boolean): void {
    const { times = 0 } = this.#slow.get(keyOf(job)) ?? {}
    this.#slow.set(keyOf(job), { ended, codeId: job.codeId, times: times + 1 })
  }

  /** Records a compilation that was not slow. */
  quick(job: CompileJob): void {
    this.#slow.delete(keyOf(job))
  }
}

function keyOf({ environment, node }: CompileJob): string {
  return `${environment.name}\n${node.name}`
}
