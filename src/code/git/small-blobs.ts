import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'

/** Largest cached blob in bytes: most module files are smaller, and a large blob would evict many. */
const largest = 256 * 1024

/** Recently read blobs by id: a fleet requests the same few files. */
export class SmallBlobs {
  readonly #known = new LRUCache<string, Buffer>({
    maxSize: budgets.git.smallBlobs.bound,
    sizeCalculation: ({ length }) => length + 1,
  })

  get(oid: string): Buffer | undefined {
    return this.#known.get(oid)
  }

  keep(oid: string, content: Buffer): Buffer {
    // A slice of a larger buffer would keep all of it in memory.
    if (content.length <= largest)
      this.#known.set(oid, content.length < content.buffer.byteLength ? Buffer.from(content) : content)
    return content
  }
}
