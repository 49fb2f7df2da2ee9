import { throwArgumentError } from '../argument-error.ts'

/** Parts of a URI; `undefined` if absent. */
export interface UriParts {
  readonly scheme: string | undefined
  readonly userinfo: string | undefined
  readonly host: string | undefined
  readonly port: number | undefined
  readonly path: string | undefined
  readonly query: string | undefined
  readonly fragment: string | undefined
  readonly opaque: string | undefined
}

/**
 * Adds the parts that the scheme implies, such as a default port, and checks the others. Idempotent. Throws
 * RUNTIME_ERROR for a part that the scheme forbids.
 */
export function completeUri(parts: UriParts): UriParts {
  return Object.freeze(completeParts({ ...parts, scheme: parts.scheme?.toLowerCase() }))
}

const usualPorts: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ftp: 21,
  ldap: 389,
  ldaps: 636,
  ws: 80,
}

function completeParts(given: UriParts): UriParts {
  const { scheme = '', opaque, query, fragment, userinfo } = given
  const parts = {
    ...given,
    userinfo: userinfo === '' ? undefined : userinfo,
    port: given.port ?? usualPorts[scheme],
    path: given.path ?? (opaque === undefined ? '' : undefined),
    query: query === undefined ? undefined : escapeQuery(query),
    fragment: fragment?.replace(/[\t\r\n]/g, '').replace(/[^!-~]/g, escapeCharacter),
  }
  return completers[scheme]?.(parts) ?? parts
}

const completeLdap = (parts: UriParts): UriParts =>
  parts.fragment !== undefined || parts.path === undefined ? throwArgumentError('bad LDAP URL') : parts

/**
 * Functions that add and check the parts of a URI, by scheme. Ruby: uri/file.rb, uri/ftp.rb, uri/ldap.rb,
 * uri/mailto.rb.
 */
const completers: Readonly<Record<string, (parts: UriParts) => UriParts>> = {
  file: ({ host, ...parts }) => {
    const own = host === undefined || host === 'localhost' ? '' : host
    return { ...parts, host: own, userinfo: undefined, port: undefined }
  },
  ftp: (parts) => (parts.path === undefined ? throwArgumentError('URI::InvalidURIError') : parts),
  ldap: completeLdap,
  ldaps: completeLdap,
  mailto: (parts) => {
    const opaque = parts.opaque ?? (parts.query === undefined ? undefined : `?${parts.query}`)
    if (opaque === undefined) return throwArgumentError('missing opaque part for mailto URL')
    if (!/^(?:[^@,;]+@[^@,;]+(?:$|[,;]))*$/.test(opaque.split('?')[0]!))
      return throwArgumentError(`unrecognised opaque part for mailtoURL: ${opaque}`)
    return { ...parts, opaque }
  },
}

function escapeQuery(query: string): string {
  const kept = query.replace(/[\t\r\n]/g, '')
  const [wrong] = /%[^0-9A-Fa-f]{2}/.exec(kept) ?? []
  if (wrong !== undefined) throwArgumentError(`invalid percent escape: ${wrong}`)
  return kept.replace(/%[0-9A-Fa-f]{2}|[^!$&-;=?-_a-~]/g, (found) =>
    found.length > 1 ? found : escapeCharacter(found),
  )
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Formats a URI; omits the default port of the scheme. */
export function formatUri({ scheme, userinfo, host, port, path = '', query, fragment, opaque }: UriParts): string {
  const start = scheme === undefined ? '' : `${scheme}:`
  const end = fragment === undefined ? '' : `#${fragment}`
  if (opaque !== undefined) return `${start}${opaque}${end}`
  const slashes = host !== undefined || scheme === 'postgres' ? '//' : ''
  const user = userinfo === undefined ? '' : `${userinfo}@`
  const shownPort = port === undefined || port === usualPorts[scheme ?? ''] ? '' : `:${port}`
  // In Ruby, the path of an FTP URI starts after the slash (uri/ftp.rb).
  const shownPath = scheme === 'ftp' ? `/${path.replace(/^\//, '%2F')}` : path
  return `${start}${slashes}${user}${host ?? ''}${shownPort}${shownPath}${query === undefined ? '' : `?${query}`}${end}`
}
