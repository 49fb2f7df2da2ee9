/** Yields up to `most` bytes. Calls `refuse`, which throws, if there are more bytes. */
export async function* limitBytes(
  most: number,
  bytes: AsyncIterable<Uint8Array>,
  refuse: () => never,
): AsyncGenerator<Uint8Array> {
  let arrived = 0
  for await (const chunk of bytes) {
    arrived += chunk.length
    if (arrived > most) refuse()
    yield chunk
  }
}
