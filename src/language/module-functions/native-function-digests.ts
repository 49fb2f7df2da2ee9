import { readProgramFile } from '../../base/program/program-files.ts'

/**
 * Reads the SHA-256 digests of the Ruby files whose functions have a native equivalent; `scripts/prove-functions.js`
 * writes them.
 */
export function readProvenDigests(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readProgramFile(new URL('./proven.json', import.meta.url)).toString())
}
