import { readFileSync } from 'node:fs'

/**
 * SHA-256 digests of the Ruby files whose functions have a native equivalent; written by
 * `scripts/prove-functions.js`.
 */
export function readProvenDigests(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(new URL('./proven.json', import.meta.url), 'utf8'))
}
