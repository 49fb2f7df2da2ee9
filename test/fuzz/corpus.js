import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @import { Target } from './target.js' */

/** Where the inputs of all targets lie, a folder for each. */
export const corpusFolder = fileURLToPath(new URL('./corpus', import.meta.url))

/**
 * All inputs of a target: its seeds, and the files of its folder, past findings among them.
 *
 * @param {Target} target
 * @param {string} [folder]
 * @returns {{ name: string, bytes: Buffer }[]}
 */
export function corpusOf({ name, seeds }, folder = corpusFolder) {
  const files = namesOf(join(folder, name)).map((file) => ({
    name: file,
    bytes: readFileSync(join(folder, name, file)),
  }))
  return [...seeds.map((seed, index) => ({ name: `seed ${index}`, bytes: Buffer.from(seed) })), ...files]
}

/**
 * Writes an input into the corpus; answers its path as it is typed.
 *
 * @param {string} target
 * @param {string} kind
 * @param {Uint8Array} bytes
 * @param {string} [folder]
 */
export function keep(target, kind, bytes, folder = corpusFolder) {
  const path = join(folder, target, `${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`)
  mkdirSync(join(folder, target), { recursive: true })
  writeFileSync(path, bytes)
  return relative(process.cwd(), path)
}

/** @param {string} directory */
function namesOf(directory) {
  try {
    return readdirSync(directory).sort()
  } catch {
    return []
  }
}
