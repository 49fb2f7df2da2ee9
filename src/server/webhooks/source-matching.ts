import { normalizeRepositoryPath, parseRemoteAddress } from '../../code/git/remotes/remote.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'

/** Maximum length of a repository name or URL to compare. */
const maxPlaceLength = 512

/**
 * Returns the sources whose repository has one of the URLs or full names in a webhook. The URLs are only compared
 * with the file of sources, never fetched. Host names are not compared, since a host may have several; the secret
 * authenticates the sender.
 */
export function matchSources(places: readonly unknown[], sources: readonly CodeSource[]): readonly CodeSource[] {
  const paths = new Set(places.flatMap((place) => toRepositoryPath(place) ?? []))
  return sources.filter(({ remote }) => paths.has(remote.path.toLowerCase()))
}

/** Path of a repository on its host, in lowercase, since hosts ignore case. */
function toRepositoryPath(place: unknown): string | undefined {
  if (typeof place !== 'string' || place === '' || place.length > maxPlaceLength) return undefined
  if (!place.includes(':')) return normalizeRepositoryPath(place).toLowerCase() || undefined
  try {
    return parseRemoteAddress(place).path.toLowerCase()
  } catch {
    // A URL with a protocol that no source can use, such as git://.
    return undefined
  }
}
