import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'

/** Bytes of the largest blob that is kept: files of modules are smaller, and a few large ones would push out many. */
const largest = 256 * 1024

/** Blobs that were asked for last, by their ids: a fleet asks for the same few files. */
export class SmallBlobs {
  readonly #known = new LRUCache<string, Buffer>({
    maxSize: budgets.git.smallBlobs.bound,
    sizeCalculation: ({ length }) => length + 1,
  })

  get(oid: string): Buffer | undefined {
    return this.#known.get(oid)
  }

  keep(oid: string, content: Buffer): Buffer {
    // A part of a larger buffer would keep all of it.
    if (content.length <= largest)
      this.#known.set(oid, content.length < content.buffer.byteLength ? Buffer.from(content) : content)
    return content
  }
}
