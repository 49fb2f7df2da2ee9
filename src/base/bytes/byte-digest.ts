import type { Hash } from 'node:crypto'

/** Yields the bytes unchanged, and adds them to the digests. */
export async function* digestBytes(bytes: AsyncIterable<Uint8Array>, ...digests: Hash[]): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (const digest of digests) digest.update(chunk)
    yield chunk
  }
}
