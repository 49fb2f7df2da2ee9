import type { Remote } from '../../code/git/remotes/remote.ts'

/** A module's address in normalized form, so that equal addresses have equal parts. */
export interface ModulePlace {
  readonly protocol: Remote['protocol']
  /** User in the address. */
  readonly user: string | undefined
  /** Host in lower case without port; empty for a local path. */
  readonly host: string
  readonly port: number
  /** Decoded segments of the path. The last segment has no `.git` suffix. */
  readonly segments: readonly string[]
}

const ports = { https: 443, http: 80, ssh: 22, file: 0 } as const

/** Returns the normalized address of a repository; `undefined` if its path could escape from a prefix. */
export function normalizeRemote({ protocol, url, host = '', path, user }: Remote): ModulePlace | undefined {
  const isUrl = protocol !== 'file' && url.startsWith(`${protocol}://`)
  // In HOST:PATH, git would parse the text before `://` as a protocol.
  if (protocol === 'ssh' && !isUrl && url.includes('://')) return undefined
  const segments = isUrl ? decodeSegments(new URL(url).pathname) : normalizeSegments(path.split('/'))
  return segments && { protocol, user, ...parseHostAndPort(host, ports[protocol]), segments: removeGitEnding(segments) }
}

/** Returns the normalized form of a web address. */
export function normalizeUrl({ protocol, hostname, port, pathname, username }: URL): ModulePlace | undefined {
  const kind = protocol === 'https:' ? 'https' : protocol === 'http:' ? 'http' : undefined
  const segments = decodeSegments(pathname)
  if (!kind || !segments) return undefined
  const user = username === '' ? undefined : username
  return {
    ...{ protocol: kind, user, ...parseHostAndPort(hostname, Number(port) || ports[kind]) },
    segments: removeGitEnding(segments),
  }
}

/**
 * Returns true if an address is equal to or below another. Compares whole path segments: `/acme-evil` is not below
 * `/acme`.
 */
export function isAtOrBelow(place: ModulePlace, prefix: ModulePlace): boolean {
  return (
    place.protocol === prefix.protocol &&
    place.host === prefix.host &&
    place.port === prefix.port &&
    (prefix.user === undefined || prefix.user === place.user) &&
    prefix.segments.every((segment, at) => segment === place.segments[at])
  )
}

function parseHostAndPort(host: string, standard: number): Pick<ModulePlace, 'host' | 'port'> {
  const cut = host.lastIndexOf(':')
  const hasPort = cut > host.lastIndexOf(']') && cut !== -1
  const name = (hasPort ? host.slice(0, cut) : host).toLowerCase()
  // Removes the trailing period of a fully qualified name.
  return { host: name.endsWith('.') ? name.slice(0, -1) : name, port: hasPort ? Number(host.slice(cut + 1)) : standard }
}

/**
 * Decodes the segments of a path; `undefined` for forms that a server could interpret differently
 * (`%2e%2e%2f`, a backslash, double encoding).
 */
function decodeSegments(pathname: string): readonly string[] | undefined {
  try {
    return normalizeSegments(pathname.split('/').map(decodeURIComponent))
  } catch {
    return undefined
  }
}

function normalizeSegments(given: readonly string[]): readonly string[] | undefined {
  const segments = given.filter((segment) => segment !== '')
  return segments.some((segment) => segment === '.' || segment === '..' || /[/\\%\0-\x1f]/.test(segment))
    ? undefined
    : segments
}

function removeGitEnding(segments: readonly string[]): readonly string[] {
  return segments.map((segment, at) => (at === segments.length - 1 ? segment.replace(/\.git$/, '') : segment))
}
