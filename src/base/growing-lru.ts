import { LRUCache } from 'lru-cache'

type Options<Value extends object | string | number | boolean> = Pick<
  LRUCache.Options<string, Value, unknown>,
  'ttl' | 'ttlResolution' | 'perf'
>

/**
 * LRU cache of up to `most` values that grows on demand. For limits of 10,000 and more that are
 * rarely reached: lru-cache allocates `max` entries at once, which takes 17 ms and 2 MB for
 * 100,000.
 */
export function growingLru<Value extends object | string | number | boolean>(
  most: number,
  options: Options<Value> = {},
): LRUCache<string, Value> {
  return new LRUCache({ ...options, maxSize: most, sizeCalculation: () => 1 })
}

/** Approximate memory of an entry in addition to its texts, in characters. */
const entryCharacters = 420

/** LRU cache of texts, limited by the characters of keys and texts; empty texts count as well. */
export function textLru(mostCharacters: number): LRUCache<string, { readonly text: string }> {
  return new LRUCache({
    maxSize: mostCharacters,
    sizeCalculation: ({ text }, key) => key.length + text.length + entryCharacters,
  })
}
