import { refuse } from '../argument-error.ts'
import { rfc2396 } from './rfc2396.ts'
import { completedUri, type UriParts } from './uri-parts.ts'

const { escaped, unreserved } = rfc2396
const whole = (source: string) => new RegExp(`^(?:${source})$`)
const isUserinfo = whole(rfc2396.userinfo)
const isHost = whole(`(?:[a-zA-Z0-9\\-.]|${escaped})+|\\[[a-fA-F\\d:.]+\\]`)
const isAbsolute = whole(rfc2396.path)
const isRelative = whole(`(?:[${unreserved};@&=+$,]|${escaped})+(?:${rfc2396.path})?`)
const isOpaque = whole(rfc2396.opaque)

/**
 * Builds a URI from parts (RFC 2396; Ruby: uri/generic.rb, `build`). Throws RUNTIME_ERROR for an
 * invalid part.
 */
export function buildUri(given: UriParts): UriParts {
  const parts = adapted({ ...given, host: given.host === undefined ? undefined : bracketed(given.host) })
  const { scheme, userinfo, host, port, path, opaque } = parts
  if (scheme !== undefined && !/^[a-zA-Z][-+.a-zA-Z\d]*$/.test(scheme)) bad('scheme component', scheme)
  if (userinfo !== undefined) checkUserinfo(userinfo, scheme)
  if (host !== undefined && !isHost.test(host)) bad('host component', host)
  if (path !== undefined && path !== '') checkPath(path, scheme)
  if (opaque !== undefined) {
    const hasOthers = [userinfo, host, port, path].some((each) => each !== undefined) || scheme === 'file'
    if (hasOthers) refuse('can not set opaque with host, port, userinfo or path')
    checkOpaque(opaque)
  }
  return completedUri(parts)
}

/** Removes parts that Ruby's class for the scheme ignores: the opaque part for mailto, the query for LDAP. */
function adapted(parts: UriParts): UriParts {
  const scheme = parts.scheme?.toLowerCase()
  if (scheme === 'mailto') return { ...parts, scheme, opaque: '' }
  return scheme === 'ldap' || scheme === 'ldaps' ? { ...parts, scheme, query: '' } : { ...parts, scheme }
}

function bracketed(host: string): string {
  return host.includes(':') && !/^\[.*\]$/.test(host) ? `[${host}]` : host
}

function checkUserinfo(userinfo: string, scheme: string | undefined): void {
  if (scheme === 'file') refuse('can not set userinfo for file URI')
  const [user = '', password] = userinfo.split(/:(.*)/s)
  if (!isUserinfo.test(user)) bad('userinfo component or user component', user)
  if (password !== undefined && !isUserinfo.test(password)) refuse('bad password component')
}

function checkPath(path: string, scheme: string | undefined): void {
  if (isAbsolute.test(path)) return
  if (scheme !== undefined && scheme !== 'ftp') bad('absolute path component', path)
  if (!isRelative.test(path)) bad('relative path component', path)
}

function checkOpaque(opaque: string): void {
  if (!isOpaque.test(opaque)) bad('opaque component', opaque)
}

function bad(what: string, part: string): never {
  return refuse(`bad component(expected ${what}): ${part}`)
}
