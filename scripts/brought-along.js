// What each library of package.json brings along, by the lock file: the names that an audit of what runs has to know.
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

/**
 * Libraries of our own choice with all that comes with them, sorted; a package stands with the first that needs it.
 * @returns {[library: string, packages: string[]][]}
 */
export function broughtAlong() {
  const seen = new Set()
  return Object.keys(packages[''].dependencies)
    .sort()
    .map((library) => {
      const found = new Set()
      follow(placeOf(library, ''), found)
      const names = [...found].map(nameAt).filter((name) => name !== library && !seen.has(name))
      for (const name of names) seen.add(name)
      return [library, [...new Set(names)].sort()]
    })
}

function follow(place, found) {
  if (place === undefined || found.has(place)) return
  found.add(place)
  const { dependencies = {}, optionalDependencies = {} } = packages[place]
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) follow(placeOf(name, place), found)
}

/** Where Node finds a package: beside who asks, or in a folder above. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return undefined
  }
}

function nameAt(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
