import { createHash } from 'node:crypto'
import { type Content, contentParts } from '../base/content.ts'
import { growingLru } from '../base/growing-lru.ts'
import type { DigestAlgorithm } from './code-tree.ts'

/** Digests of bytes that an oid names: true for ever, whichever tree holds them. */
export class Digests {
  readonly #known = growingLru<string>(200_000)
  readonly #learning = new Map<string, Promise<void>>()

  /** Remembered, or made of the bytes. */
  of(oid: string, algorithm: DigestAlgorithm, read: () => Uint8Array): string {
    const known = this.recall(oid, algorithm)
    if (known !== undefined) return known
    const { hash, limit } = recipe(algorithm)
    const digest = createHash(hash).update(read().subarray(0, limit)).digest('hex')
    this.#known.set(`${algorithm}:${oid}`, digest)
    return digest
  }

  recall(oid: string, algorithm: DigestAlgorithm): string | undefined {
    return this.#known.get(`${algorithm}:${oid}`)
  }

  /** Reads a stream to its end, so that `of` will not have to read; once, however many ask meanwhile. */
  async learn(oid: string, algorithm: DigestAlgorithm, open: () => Promise<Content | undefined>): Promise<void> {
    const key = `${algorithm}:${oid}`
    if (this.#known.has(key)) return
    const learning =
      this.#learning.get(key) ?? this.#learn(key, algorithm, open).finally(() => this.#learning.delete(key))
    this.#learning.set(key, learning)
    await learning
  }

  async #learn(key: string, algorithm: DigestAlgorithm, open: () => Promise<Content | undefined>): Promise<void> {
    const content = await open()
    if (!content) return
    const { hash, limit } = recipe(algorithm)
    const sum = createHash(hash)
    let left = limit
    for await (const chunk of contentParts(content)) {
      sum.update(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
    }
    this.#known.set(key, sum.digest('hex'))
  }
}

function recipe(algorithm: DigestAlgorithm): { hash: string; limit: number } {
  const lite = algorithm.endsWith('lite')
  return { hash: lite ? algorithm.slice(0, -4) : algorithm, limit: lite ? 512 : Number.POSITIVE_INFINITY }
}
