import { Hash } from '../values/hash.ts'
import type { Uri } from '../values/uri.ts'
import { matchesPart } from './is-assignable.ts'
import type { UriType } from './type.ts'
import { partsOf } from './uri-parts.ts'

/** Whether a URI has the parts that the type asks for. */
export function isInstanceOfUri({ parameters = Hash.empty }: UriType, uri: Uri): boolean {
  const parts = partsOf(uri)
  return [...parameters].every(([name, pattern]) => matchesPart(pattern, parts.get(name)))
}
