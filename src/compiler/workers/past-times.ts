import { LRUCache } from 'lru-cache'
import type { CompileJob } from './job.ts'

/** What came of the last compilation that took long: a catalog, or no end while it was looked at. */
interface Past {
  readonly ended: boolean
  readonly codeId: string | undefined
}

/** Nodes that are remembered. */
const mostNodes = 10_000
/** After an hour a node has another chance, in milliseconds. */
const memoryMs = 3_600_000

/**
 * Which nodes' catalogs took long. One that came, if late, is expected to take as long again; one that came to no end is
 * expected to do so again with the same code, and has another chance with other code.
 */
export class PastTimes {
  readonly #slow = new LRUCache<string, Past>({ max: mostNodes, ttl: memoryMs })

  isSlow(job: CompileJob): boolean {
    const past = this.#slow.get(keyOf(job))
    return past !== undefined && (past.ended || past.codeId === job.codeId)
  }

  /** Notes that a catalog took long. */
  slow(job: CompileJob, ended: boolean): void {
    this.#slow.set(keyOf(job), { ended, codeId: job.codeId })
  }

  /** Notes that it did not. */
  quick(job: CompileJob): void {
    this.#slow.delete(keyOf(job))
  }
}

function keyOf({ environment, node }: CompileJob): string {
  return `${environment.name}\n${node.name}`
}
