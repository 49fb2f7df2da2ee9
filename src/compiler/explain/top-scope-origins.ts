import { toText } from '../../language/types/printing/text.ts'
import { Hash } from '../../language/values/hash.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { Origin, OriginKind } from './origin.ts'

/** Facts are displayed with at most this number of characters. */
const maxShown = 200

/** Hashes in the top scope, with the origin kind of their elements. */
const hashes: ReadonlyMap<string, OriginKind> = new Map([
  ['facts', 'fact'],
  ['trusted', 'trusted'],
  ['server_facts', 'server fact'],
])

/**
 * Returns the origin of a top-scope variable that no code sets: a fact, trusted data, or a node
 * parameter.
 */
export function findTopScopeOrigins(
  { request, top }: Compilation,
  name: string,
  keys: readonly Value[],
): readonly Origin[] {
  const kind = hashes.get(name)
  const value = top.get(name)
  if (kind) return [createElementOrigin(kind, keys, value)]
  const createOrigins = (given: OriginKind) => [createElementOrigin(given, [name, ...keys], Hash.of([[name, value]]))]
  if (name === 'environment') return createOrigins('server fact')
  if (Object.hasOwn(request.node.parameters, name)) return createOrigins('node parameter')
  if (Object.hasOwn(request.facts, name)) return createOrigins('fact')
  return Object.hasOwn(request.serverFacts, name) ? createOrigins('server fact') : []
}

/** Returns the origin of a fact that a function read; `path` is the path of the fact. */
export function createFactOrigin({ request }: Compilation, path: readonly string[]): Origin {
  return createElementOrigin('fact', path, convertJsonToValue(request.facts))
}

/** Returns the origin for the element at the path `keys` of `value`. */
function createElementOrigin(kind: OriginKind, keys: readonly Value[], value: Value): Origin {
  let found = value
  for (const key of keys)
    found =
      found instanceof Hash
        ? found.get(key)
        : Array.isArray(found)
          ? (found as readonly Value[])[Number(key)]
          : undefined
  const isLarge = found instanceof Hash || Array.isArray(found)
  const detail = found === undefined || isLarge ? undefined : toText(found).slice(0, maxShown)
  return { kind, name: keys.map(toText).join('.'), detail, from: [] }
}
