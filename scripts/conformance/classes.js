import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The names of all classes of the modules below a folder: by file, then as they are written. */
export function classNames(modulepath, modules) {
  const names = new Set()
  for (const module of modules ?? readdirSync(modulepath).sort())
    for (const file of filesBelow(join(modulepath, module, 'manifests')))
      if (file.endsWith('.pp'))
        for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*class\s+(?:::)?([a-z][\w:]*)/gm))
          names.add(name)
  return [...names]
}

/** A digest of all files that a compilation can read. */
export function digestOf(modulepath) {
  const hash = createHash('sha256')
  for (const file of filesBelow(modulepath)) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** A part of a list that is spread over all of it, the same each time. */
export function sampleOf(names, size) {
  const rank = (name) => createHash('sha256').update(name).digest('hex')
  const chosen = new Set([...names].sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, size))
  return names.filter((name) => chosen.has(name))
}

function filesBelow(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isDirectory() ? filesBelow(path) : found?.isFile() ? [path] : []
    })
}
