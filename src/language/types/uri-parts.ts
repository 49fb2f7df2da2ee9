import { Hash } from '../values/hash.ts'
import type { UriType } from '../values/type.ts'
import type { Uri } from '../values/uri.ts'
import { createUriType, URI } from './constructors.ts'

/** Builds `URI[{…}]` with all parts of a URI. */
export function toUriType(uri: Uri): UriType {
  const parts = getUriParts(uri)
  return parts.size === 0 ? URI : createUriType(parts)
}

/** Parts of a URI by name, without the default ports of http and https. Puppet: p_uri_type.rb, `uri_to_hash`. */
function getUriParts(uri: Uri): Hash {
  const { scheme, userinfo, host, port, path, query, fragment, opaque } = uri.parts
  const usual = (scheme === 'http' && port === 80) || (scheme === 'https' && port === 443)
  const all = {
    scheme,
    userinfo,
    host: host?.toLowerCase() || undefined,
    port: port === undefined || usual ? undefined : String(port),
    path: path || undefined,
    query,
    fragment,
    opaque,
  }
  return Hash.of(Object.entries(all).filter(([, value]) => value !== undefined))
}
