// Files that a kill left lying: none may hold up anything, which the work of the next round shows; here they are counted.
import { readdirSync } from 'node:fs'

const kinds = {
  locks: /(?:^|\/)[^/]*\.lock(?:$|\.)/,
  temporary: /(?:^|\/)(?:\.[^/]*\.tmp|tmp_[^/]*)$/,
  quarantines: /(?:^|\/)(?:tmp_objdir-)?incoming-[^/]+$/,
}

/** How many there are of each kind. */
export function leftovers({ place }) {
  const folders = [...new Set([place.bare, place.gitDir, place.vardir, place.confdir])]
  const names = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map(String))
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, pattern]) => [kind, names.filter((name) => pattern.test(name)).length]),
  )
}
