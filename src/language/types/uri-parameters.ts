import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import { isMatch } from '../values/ruby-regexp/match.ts'
import { Uri } from '../values/uri.ts'
import type { Value } from '../values/value.ts'
import { isAssignable } from './is-assignable.ts'
import { integerType, literalStringType, UNDEF } from './make.ts'
import { isType, type UriType } from './type.ts'

/** The parts of a URI by name, as `URI[{…}]` names them. */
export function partsOf(uri: Uri): Hash {
  const { scheme, userinfo, host, port, path, query, fragment, opaque } = uri.parts
  const all = { scheme, userinfo, host, port, path, query, fragment, opaque }
  return Hash.of(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''))
}

/** Whether a URI has the parts that the type asks for. */
export function isInstanceOfUri({ parameters }: UriType, uri: Uri): boolean {
  if (parameters === undefined) return true
  const wanted = parameters instanceof Hash ? parameters : partsOf(new Uri(parameters))
  const parts = partsOf(uri)
  return [...wanted].every(([name, pattern]) => fits(pattern, parts.get(name)))
}

function fits(pattern: Value, part: Value): boolean {
  if (pattern instanceof Regexp) return typeof part === 'string' && isMatch(pattern, part)
  if (isType(pattern)) {
    const type =
      typeof part === 'string' ? literalStringType(part) : typeof part === 'number' ? integerType(part, part) : UNDEF
    return isAssignable(pattern, type)
  }
  return String(part).toLowerCase() === String(pattern).toLowerCase()
}
