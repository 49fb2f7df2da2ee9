// Files that a kill left lying: none may hold up anything, which the work of the next round shows; here they are counted.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const kinds = {
  locks: /(?:^|\/)[^/]*\.lock(?:$|\.)/,
  temporary: /(?:^|\/)(?:\.[^/]*\.tmp|tmp_[^/]*)$/,
  quarantines: /\/(?:(?:tmp_objdir-)?incoming-|plumb-incoming\/)[^/]+$/,
}

/** How many there are of each kind. */
export function leftovers({ place }) {
  const folders = [...new Set([place.bare, place.gitDir, place.vardir, place.confdir])]
  const names = folders.flatMap(below)
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, pattern]) => [kind, names.filter((name) => pattern.test(name)).length]),
  )
}

/** Paths below a folder. A git that outlives its server may take things away meanwhile. */
function below(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...below(path)] : [path]
    })
  } catch {
    return []
  }
}
