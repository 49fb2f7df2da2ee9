import { toMapKey } from '../../values/hash-key.ts'
import type { Value } from '../../values/value.ts'

/** Removes duplicate elements, like Ruby's `Array#uniq`. */
export function selectDistinct(items: readonly Value[]): Value[] {
  const seen = new Map<unknown, Value>()
  for (const item of items) if (!seen.has(toMapKey(item))) seen.set(toMapKey(item), item)
  return [...seen.values()]
}
