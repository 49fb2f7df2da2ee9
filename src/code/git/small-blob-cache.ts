import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'

/**
 * Size in bytes of the largest cached blob: most files in modules are smaller, and a large blob
 * would evict many small ones.
 */
const largest = 256 * 1024

/** Caches recently read blobs by id, because a fleet requests the same few files. */
export class SmallBlobCache {
  readonly #known = new LRUCache<string, Buffer>({
    maxSize: budgets.git.smallBlobs.bound,
    sizeCalculation: ({ length }) => length + 1,
  })

  get(oid: string): Buffer | undefined {
    return this.#known.get(oid)
  }

  keep(oid: string, content: Buffer): Buffer {
    // A slice would keep the whole larger buffer in memory.
    if (content.length <= largest)
      this.#known.set(oid, content.length < content.buffer.byteLength ? Buffer.from(content) : content)
    return content
  }
}
