// The npm packages that the program needs, without those that only build or test it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A package of package-lock.json; `path` is its folder below the root.
 * @typedef {{ readonly path: string, readonly name: string, readonly version: string, readonly integrity: string,
 *   readonly license: string }} LockedPackage
 */

/** @returns {LockedPackage[]} */
export function listLockedPackages() {
  const lock = JSON.parse(readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'))
  const inFolder = 'node_modules/'
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version, integrity = '', license = '' }]) => {
      return { path, name: path.slice(path.lastIndexOf(inFolder) + inFolder.length), version, integrity, license }
    })
}
