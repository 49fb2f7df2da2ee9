import { LRUCache } from 'lru-cache'
import { growingLru } from '../../base/growing-lru.ts'
import type { CompileJob } from './job.ts'

/** The end of the last compilation that took long: a catalog, or none while it was watched. */
interface Past {
  readonly ended: boolean
  readonly codeId: string | undefined
  /** Compilations in a row that took long. */
  readonly times: number
}

/** After so many in a row a node's catalog is expected to take long again: the first one after a push may have to learn. */
const timesInRow = 2

/** Nodes, and environments, that are remembered. */
const mostNodes = 10_000
const mostEnvironments = 1000
/** After an hour a node has another chance, in milliseconds. */
const memoryMs = 3_600_000
/** Milliseconds that are never long. */
const leastLongMs = 1000
/** A long compilation, in multiples of the usual time; and the newest time's weight in the usual, as a fraction of 1. */
const timesUsual = 3
const newest = 1 / 8

/**
 * Which nodes' catalogs took long. Where two in a row came late, the next is expected to take as long again; one that came
 * to no end is expected to do so again with the same code, and has another chance with other code.
 */
export class PastTimes {
  readonly #usual = new LRUCache<string, number>({ max: mostEnvironments })
  readonly #slow = growingLru<Past>(mostNodes, { ttl: memoryMs })

  isSlow(job: CompileJob): boolean {
    const past = this.#slow.get(keyOf(job))
    if (!past) return false
    return past.ended ? past.times >= timesInRow : past.codeId === job.codeId
  }

  /** Milliseconds after which a catalog takes longer than usual in its environment; never more than the most. */
  patience({ environment }: CompileJob, mostMs: number): number {
    const usual = this.#usual.get(environment.name) ?? 0
    return Math.min(mostMs, Math.max(leastLongMs, timesUsual * usual))
  }

  /** Notes how long a catalog took. */
  took({ environment }: CompileJob, ms: number): void {
    const usual = this.#usual.get(environment.name) ?? ms
    this.#usual.set(environment.name, usual + (ms - usual) * newest)
  }

  /** Notes that a catalog took long. */
  slow(job: CompileJob, ended: boolean): void {
    const { times = 0 } = this.#slow.get(keyOf(job)) ?? {}
    this.#slow.set(keyOf(job), { ended, codeId: job.codeId, times: times + 1 })
  }

  /** Notes that it did not. */
  quick(job: CompileJob): void {
    this.#slow.delete(keyOf(job))
  }
}

function keyOf({ environment, node }: CompileJob): string {
  return `${environment.name}\n${node.name}`
}
