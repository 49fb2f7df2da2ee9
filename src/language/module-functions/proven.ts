import { readFileSync } from 'node:fs'

/** The Ruby files whose functions ours equal, by SHA-256; `scripts/prove-functions.js` writes the file. */
export function readProven(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(new URL('./proven.json', import.meta.url), 'utf8'))
}
