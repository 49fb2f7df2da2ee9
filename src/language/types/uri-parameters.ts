import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import { isMatch } from '../values/ruby-regexp/match.ts'
import type { Uri } from '../values/uri.ts'
import type { Value } from '../values/value.ts'
import { isAssignable } from './is-assignable.ts'
import { literalStringType, UNDEF } from './make.ts'
import { isType, type UriType } from './type.ts'
import { partsOf } from './uri-parts.ts'

/** Whether a URI has the parts that the type asks for. */
export function isInstanceOfUri({ parameters = Hash.empty }: UriType, uri: Uri): boolean {
  const parts = partsOf(uri)
  return [...parameters].every(([name, pattern]) => fits(pattern, parts.get(name)))
}

function fits(pattern: Value, part: Value): boolean {
  if (pattern instanceof Regexp) return typeof part === 'string' && isMatch(pattern, part)
  if (isType(pattern)) return isAssignable(pattern, typeof part === 'string' ? literalStringType(part) : UNDEF)
  return part !== undefined && String(part).toLowerCase() === String(pattern).toLowerCase()
}
