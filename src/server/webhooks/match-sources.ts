import { plainPath, readRemote } from '../../code/git/remotes/remote.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'

/** Characters of a name or a URL of a repository that is compared. */
const maxPlaceLength = 512

/**
 * The sources of a repository, by its URLs or its full name. Nothing out of a hook is ever fetched: it is only compared with
 * what the file of sources has. The names of hosts are not, for one machine may have several: the secret says who sent it.
 */
export function matchSources(places: readonly unknown[], sources: readonly CodeSource[]): readonly CodeSource[] {
  const paths = new Set(places.flatMap((place) => pathOf(place) ?? []))
  return sources.filter(({ remote }) => paths.has(remote.path.toLowerCase()))
}

/** The path of a repository on its host, in lower case: hosts take either case. */
function pathOf(place: unknown): string | undefined {
  if (typeof place !== 'string' || place === '' || place.length > maxPlaceLength) return undefined
  if (!place.includes(':')) return plainPath(place).toLowerCase() || undefined
  try {
    return readRemote(place).path.toLowerCase()
  } catch {
    // Such as git://, which no source has.
    return undefined
  }
}
