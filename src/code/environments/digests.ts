import { digestBytes, getDigestRecipe } from '../../base/bytes/digest.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { DigestAlgorithm } from './code-tree.ts'

/** Caches digests by oid. The cache is valid for all trees, since an oid identifies the content. */
export class Digests {
  readonly #known = createGrowingLru<string>(200_000)
  readonly #learning = new Map<string, Promise<string>>()

  /** Returns the cached digest, or computes it. */
  of(oid: string, algorithm: DigestAlgorithm, read: () => Uint8Array): string {
    return this.compute(oid, algorithm, () => digestBytes(read(), getDigestRecipe(algorithm)))
  }

  /** Returns the cached digest, or calls `work` and caches its result. */
  compute(oid: string, algorithm: DigestAlgorithm, work: () => string): string {
    const known = this.recall(oid, algorithm)
    if (known !== undefined) return known
    const digest = work()
    this.#known.set(`${algorithm}:${oid}`, digest)
    return digest
  }

  recall(oid: string, algorithm: DigestAlgorithm): string | undefined {
    return this.#known.get(`${algorithm}:${oid}`)
  }

  /** Same as `compute` with asynchronous work. Concurrent callers share one call. */
  async learn(oid: string, algorithm: DigestAlgorithm, work: () => Promise<string>): Promise<string> {
    const key = `${algorithm}:${oid}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const learning = this.#learning.get(key) ?? work().finally(() => this.#learning.delete(key))
    this.#learning.set(key, learning)
    const digest = await learning
    this.#known.set(key, digest)
    return digest
  }
}
