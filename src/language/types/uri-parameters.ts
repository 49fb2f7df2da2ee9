import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import type { Uri } from '../values/uri.ts'
import type { Value } from '../values/value.ts'
import { matchesPart } from './is-assignable.ts'
import { isType, type UriType } from './type.ts'
import { partsOf } from './uri-parts.ts'

/** Whether a URI has the parts that the type asks for. */
export function isInstanceOfUri({ parameters = Hash.empty }: UriType, uri: Uri): boolean {
  const parts = partsOf(uri)
  return [...parameters].every(([name, pattern]) => matchesPart(pattern, parts.get(name)))
}

const parts: ReadonlySet<Value> = new Set([
  ...['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque'],
])
const matchers: ReadonlySet<string> = new Set(['Enum', 'Pattern', 'NotUndef', 'Undef', 'String', 'Integer'])

/** Whether a hash says what parts of a URI are, or match (Puppet: p_uri_type.rb, TYPE_URI_PARAM_HASH_TYPE). */
export function areUriParameters(given: Hash): boolean {
  return [...given].every(([name, value]) => {
    if (!parts.has(name)) return false
    if (isType(value)) return matchers.has(value.kind)
    return name === 'port' ? typeof value === 'number' : typeof value === 'string' || value instanceof Regexp
  })
}
