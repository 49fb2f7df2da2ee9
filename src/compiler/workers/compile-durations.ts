import { LRUCache } from 'lru-cache'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CompileJob } from './compile-job.ts'

/** The last slow compilation of a node's catalog; `ended` is false if the compilation did not finish. */
interface Past {
  readonly ended: boolean
  readonly codeId: string | undefined
  /** Number of consecutive slow compilations. */
  readonly times: number
}

/**
 * After this number of consecutive slow compilations, the next compilation is expected to be slow. A single slow
 * compilation may only be due to new code after a push.
 */
const timesInRow = 2

/** Largest number of nodes that are remembered; `mostEnvironments` is the same limit for environments. */
const mostNodes = 10_000
const mostEnvironments = 1000
/** A node with slow catalogs is treated as normal again after this number of milliseconds (one hour). */
const memoryMs = 3_600_000
/** A compilation is never slow if it takes less than this number of milliseconds. */
const leastLongMs = 1000
/**
 * A compilation is slow if it takes longer than `timesUsual` times the usual time. The usual time is a moving
 * average, in which the latest time has the weight `newest`.
 */
const timesUsual = 3
const newest = 1 / 8

/**
 * Remembers nodes with slow catalogs. After two consecutive slow compilations, the next compilation is expected to be
 * slow. After a compilation that did not finish, a compilation with the same code is expected not to finish either.
 */
export class CompileDurations {
  readonly #usual = new LRUCache<string, number>({ max: mostEnvironments })
  /** The usual time of a compilation, without recalled catalogs. */
  readonly #compilation = new LRUCache<string, number>({ max: mostEnvironments })
  readonly #slow = createGrowingLru<Past>(mostNodes, { ttl: memoryMs })

  isSlow(job: CompileJob): boolean {
    const past = this.#slow.get(formatNodeKey(job))
    if (!past) return false
    return past.ended ? past.times >= timesInRow : past.codeId === job.codeId
  }

  /** Returns the number of milliseconds after which a compilation in this environment is slow; at most `mostMs`. */
  patience({ environment }: CompileJob, mostMs: number): number {
    const usual = this.#usual.get(environment.name) ?? 0
    return Math.min(mostMs, Math.max(leastLongMs, timesUsual * usual))
  }

  /** Records the duration of a job in milliseconds. */
  took({ environment }: CompileJob, ms: number): void {
    updateAverage(this.#usual, environment.name, ms)
  }

  /** Records the duration of a job that was not recalled, in a thread that had loaded the code. */
  compiled({ environment }: CompileJob, ms: number): void {
    updateAverage(this.#compilation, environment.name, ms)
  }

  /** Returns the usual milliseconds of a compilation in this environment; 0 if unknown. */
  compilation({ environment }: CompileJob): number {
    return this.#compilation.get(environment.name) ?? 0
  }

  /** Records a slow compilation. */
  slow(job: CompileJob, ended: boolean): void {
    const { times = 0 } = this.#slow.get(formatNodeKey(job)) ?? {}
    this.#slow.set(formatNodeKey(job), { ended, codeId: job.codeId, times: times + 1 })
  }

  /** Records a compilation that was not slow. */
  quick(job: CompileJob): void {
    this.#slow.delete(formatNodeKey(job))
  }
}

function updateAverage(averages: LRUCache<string, number>, environment: string, ms: number): void {
  const usual = averages.get(environment) ?? ms
  averages.set(environment, usual + (ms - usual) * newest)
}

function formatNodeKey({ environment, node }: CompileJob): string {
  return `${environment.name}\n${node.name}`
}
