import type { Remote } from '../../code/git/remotes/remote.ts'

/** The place of a module, in one form: two places are the same where all parts are. */
export interface ModulePlace {
  readonly protocol: Remote['protocol']
  /** The user that ssh or an address names. */
  readonly user: string | undefined
  /** In lower case, without its port; empty for a path of this machine. */
  readonly host: string
  readonly port: number
  /** Parts of the path, as they are meant; the last one without `.git`. */
  readonly segments: readonly string[]
}

const ports = { https: 443, http: 80, ssh: 22, file: 0 } as const

/** The place of a repository; `undefined` where its path could lead out of a prefix of it. */
export function placeOfRemote({ protocol, url, host = '', path, user }: Remote): ModulePlace | undefined {
  const isUrl = protocol !== 'file' && url.startsWith(`${protocol}://`)
  // In HOST:PATH, git would take all before `://` for a protocol.
  if (protocol === 'ssh' && !isUrl && url.includes('://')) return undefined
  const segments = isUrl ? decodedSegments(new URL(url).pathname) : plainSegments(path.split('/'))
  return segments && { protocol, user, ...hostAndPort(host, ports[protocol]), segments: withoutEnding(segments) }
}

/** The place of an address of the web. */
export function placeOfUrl({ protocol, hostname, port, pathname, username }: URL): ModulePlace | undefined {
  const kind = protocol === 'https:' ? 'https' : protocol === 'http:' ? 'http' : undefined
  const segments = decodedSegments(pathname)
  if (!kind || !segments) return undefined
  const user = username === '' ? undefined : username
  return {
    ...{ protocol: kind, user, ...hostAndPort(hostname, Number(port) || ports[kind]) },
    segments: withoutEnding(segments),
  }
}

/** True where a place is at or below another: by whole parts of the path, so that `/acme-evil` is not below `/acme`. */
export function isBelow(place: ModulePlace, prefix: ModulePlace): boolean {
  return (
    place.protocol === prefix.protocol &&
    place.host === prefix.host &&
    place.port === prefix.port &&
    (prefix.user === undefined || prefix.user === place.user) &&
    prefix.segments.every((segment, at) => segment === place.segments[at])
  )
}

function hostAndPort(host: string, standard: number): Pick<ModulePlace, 'host' | 'port'> {
  const cut = host.lastIndexOf(':')
  const hasPort = cut > host.lastIndexOf(']') && cut !== -1
  const name = (hasPort ? host.slice(0, cut) : host).toLowerCase()
  // The period that ends a name is the root's.
  return { host: name.endsWith('.') ? name.slice(0, -1) : name, port: hasPort ? Number(host.slice(cut + 1)) : standard }
}

/** The segments of a path, decoded; none of what a server could take for another path (`%2e%2e%2f`, a backslash, a second encoding). */
function decodedSegments(pathname: string): readonly string[] | undefined {
  try {
    return plainSegments(pathname.split('/').map(decodeURIComponent))
  } catch {
    return undefined
  }
}

function plainSegments(given: readonly string[]): readonly string[] | undefined {
  const segments = given.filter((segment) => segment !== '')
  return segments.some((segment) => segment === '.' || segment === '..' || /[/\\%\0-\x1f]/.test(segment))
    ? undefined
    : segments
}

function withoutEnding(segments: readonly string[]): readonly string[] {
  return segments.map((segment, at) => (at === segments.length - 1 ? segment.replace(/\.git$/, '') : segment))
}
