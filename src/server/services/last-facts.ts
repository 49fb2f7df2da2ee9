import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import type { FactsDocument } from '../../model/facts.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

interface PackedFacts extends Omit<FactsDocument, 'values'> {
  readonly packed: Uint8Array
}

/** Compressed facts in the order in which the node sent them. A store changes the order, and code can depend on it. */
export class LastFacts {
  readonly #packed = new LRUCache<string, PackedFacts>({
    maxSize: budgets.environment.factsAhead.bound,
    sizeCalculation: ({ packed }) => packed.length + 1024,
  })

  async note({ values, ...about }: FactsDocument): Promise<void> {
    const packed = await deflate(Buffer.from(values), { level: 1 })
    this.#packed.set(about.name, { ...about, packed })
  }

  /** Last facts of a node; `undefined` if no longer in memory. */
  async of(node: string): Promise<FactsDocument | undefined> {
    const known = this.#packed.get(node)
    if (!known) return undefined
    const { packed, ...about } = known
    return { ...about, values: await inflate(packed) }
  }
}
