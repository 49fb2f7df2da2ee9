import { Hash } from '../values/hash.ts'
import type { Uri } from '../values/uri.ts'

/** The parts of a URI by name, as `URI[{…}]` has them: usual ports left out (Puppet: p_uri_type.rb). */
export function partsOf(uri: Uri): Hash {
  const { scheme, userinfo, host, port, path, query, fragment, opaque } = uri.parts
  const usual = (scheme === 'http' && port === 80) || (scheme === 'https' && port === 443)
  const all = {
    scheme: scheme?.toLowerCase(),
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
