import { throwArgumentError } from '../argument-error.ts'
import { rfc2396 } from './rfc2396.ts'
import { completeUri, type UriParts } from './uri-parts.ts'

const { escaped, unreserved } = rfc2396
const compileWholePattern = (source: string) => new RegExp(`^(?:${source})$`)
const isUserinfo = compileWholePattern(rfc2396.userinfo)
const isHost = compileWholePattern(`(?:[a-zA-Z0-9\\-.]|${escaped})+|\\[[a-fA-F\\d:.]+\\]`)
const isAbsolute = compileWholePattern(rfc2396.path)
const isRelative = compileWholePattern(`(?:[${unreserved};@&=+$,]|${escaped})+(?:${rfc2396.path})?`)
const isOpaque = compileWholePattern(rfc2396.opaque)

/**
 * Builds a URI from parts (RFC 2396; Ruby: uri/generic.rb, `build`). Throws RUNTIME_ERROR for an
 * invalid part.
 */
export function buildUri(given: UriParts): UriParts {
  const parts = removeIgnoredParts({ ...given, host: given.host === undefined ? undefined : addBrackets(given.host) })
  const { scheme, userinfo, host, port, path, opaque } = parts
  if (scheme !== undefined && !/^[a-zA-Z][-+.a-zA-Z\d]*$/.test(scheme)) failBadComponent('scheme component', scheme)
  if (userinfo !== undefined) checkUserinfo(userinfo, scheme)
  if (host !== undefined && !isHost.test(host)) failBadComponent('host component', host)
  if (path !== undefined && path !== '') checkPath(path, scheme)
  if (opaque !== undefined) {
    const hasOthers = [userinfo, host, port, path].some((each) => each !== undefined) || scheme === 'file'
    if (hasOthers) throwArgumentError('can not set opaque with host, port, userinfo or path')
    checkOpaque(opaque)
  }
  return completeUri(parts)
}

/** Removes parts that Ruby's class for the scheme ignores: the opaque part for mailto, the query for LDAP. */
function removeIgnoredParts(parts: UriParts): UriParts {
  const scheme = parts.scheme?.toLowerCase()
  if (scheme === 'mailto') return { ...parts, scheme, opaque: '' }
  return scheme === 'ldap' || scheme === 'ldaps' ? { ...parts, scheme, query: '' } : { ...parts, scheme }
}

function addBrackets(host: string): string {
  return host.includes(':') && !/^\[.*\]$/.test(host) ? `[${host}]` : host
}

function checkUserinfo(userinfo: string, scheme: string | undefined): void {
  if (scheme === 'file') throwArgumentError('can not set userinfo for file URI')
  const [user = '', password] = userinfo.split(/:(.*)/s)
  if (!isUserinfo.test(user)) failBadComponent('userinfo component or user component', user)
  if (password !== undefined && !isUserinfo.test(password)) throwArgumentError('bad password component')
}

function checkPath(path: string, scheme: string | undefined): void {
  if (isAbsolute.test(path)) return
  if (scheme !== undefined && scheme !== 'ftp') failBadComponent('absolute path component', path)
  if (!isRelative.test(path)) failBadComponent('relative path component', path)
}

function checkOpaque(opaque: string): void {
  if (!isOpaque.test(opaque)) failBadComponent('opaque component', opaque)
}

function failBadComponent(what: string, part: string): never {
  return throwArgumentError(`bad component(expected ${what}): ${part}`)
}
