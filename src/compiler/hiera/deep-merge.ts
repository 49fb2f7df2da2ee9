import { requireRubyOrder } from '../../language/functions/collections/ruby-compare.ts'
import { Hash } from '../../language/values/hash.ts'
import { isSameKey, toMapKey } from '../../language/values/hash-key.ts'
import type { Value } from '../../language/values/value.ts'

/** Options of the merge strategy `deep`. */
export interface DeepOptions {
  /** Prefix of an array element that removes equal elements from the array: with the prefix `--`, `--a` removes `a`. */
  readonly knockoutPrefix: string | undefined
  /** True to merge two hashes that have the same index in two arrays. */
  readonly mergeHashArrays: boolean
  readonly sortMergedArrays: boolean
}

/**
 * Merges hashes by key and arrays by union, recursively; for values of other types, returns `higher`. Ruby:
 * deep_merge.
 */
export function mergeDeeply(higher: Value, lower: Value, options: DeepOptions): Value {
  if (higher === undefined) return lower
  if (lower === undefined || lower === false) return higher
  if (higher instanceof Hash) {
    if (!(lower instanceof Hash)) return higher.size === 0 ? lower : chooseHigherValue(higher, options)
    return mergeHashes(higher, lower, options)
  }
  if (!Array.isArray(higher)) return chooseHigherValue(higher, options)
  return Array.isArray(lower) ? mergeArrays(higher, lower, options) : chooseHigherValue(higher, options)
}

function mergeHashes(higher: Hash, lower: Hash, options: DeepOptions): Hash {
  const entries = [...higher].map(([key, value]): readonly [Value, Value] => {
    const below = lower.get(key)
    // Merging a value with itself removes the array elements that begin with the knockout prefix.
    return [key, mergeDeeply(value, below === undefined || below === false ? value : below, options)]
  })
  return lower.merge(Hash.of(entries))
}

function mergeArrays(higher: readonly Value[], lower: readonly Value[], options: DeepOptions): Value {
  const { knockoutPrefix: prefix } = options
  let above = higher
  let below = lower
  if (prefix !== undefined) {
    if (above.includes(prefix)) below = []
    const out = above.filter((item): item is string => typeof item === 'string' && item.startsWith(prefix))
    above = above.filter((item) => !out.includes(item as string))
    const gone = out.flatMap((item) => [item, item.slice(prefix.length)])
    below = below.filter((item) => !gone.some((each) => isSameKey(each, item)))
  }
  const hashes = options.mergeHashArrays && [...above, ...below].every((item) => item instanceof Hash)
  const merged = hashes ? mergeByIndex(above, below, options) : unionArrays(below, above)
  return options.sortMergedArrays ? [...merged].sort(requireRubyOrder) : merged
}

function mergeByIndex(above: readonly Value[], below: readonly Value[], options: DeepOptions): Value[] {
  const merged = below.map((item, index) => mergeDeeply(above[index] ?? Hash.empty, item, options))
  return [...merged, ...above.slice(below.length)]
}

function unionArrays(first: readonly Value[], second: readonly Value[]): Value[] {
  const seen = new Map<unknown, Value>()
  for (const item of [...first, ...second]) if (!seen.has(toMapKey(item))) seen.set(toMapKey(item), item)
  return [...seen.values()]
}

/**
 * Returns the value of higher priority, for two values that cannot be merged; an empty text if it begins with the
 * knockout prefix.
 */
function chooseHigherValue(higher: Value, { knockoutPrefix: prefix }: DeepOptions): Value {
  if (prefix === undefined) return higher
  const isKnockedOut = (item: Value): boolean => typeof item === 'string' && item.startsWith(prefix)
  if (Array.isArray(higher)) return higher.some(isKnockedOut) ? '' : higher
  return isKnockedOut(higher) ? '' : higher
}
