import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a build reads, below the root of the checkout. */
const read = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts', 'src']

/**
 * A digest of all that a build depends on: the files that it reads, where they are, and the Node whose code it keeps.
 * @param {string} root
 * @returns {string}
 */
export function madeFrom(root) {
  const hash = createHash('sha256').update(`${root} ${process.version} ${process.arch}\n`)
  for (const path of read.flatMap((name) => filesAt(root, name))) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string[]}
 */
function filesAt(root, name) {
  if (/\.json$/.test(name)) return [name]
  return readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}
