import type { CallContext } from '../../host.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { Binary } from '../../values/binary.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { toMapKey } from '../../values/hash-key.ts'
import type { Sensitive } from '../../values/sensitive.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { warnDeprecatedUse } from '../definition/deprecation-warnings.ts'
import { iterate } from './iterable-items.ts'
import { requireRubyOrder, toOrder } from './ruby-compare.ts'

/** `keys`: returns the keys in insertion order, as in Ruby. */
export const keys = defineFunction('keys', 'Returns the keys of a hash in order.', {
  'Hash $hsh': (hash: Hash) => hash.keys(),
})

/** `values`: returns the values in insertion order, as in Ruby. */
export const values = defineFunction('values', 'Returns the values of a hash in order.', {
  'Hash $hsh': (hash: Hash) => hash.values(),
})

/** `length`: counts the elements of a collection, the code points of a string, or the bytes of a Binary. */
export const length = defineFunction('length', 'Returns the number of elements, characters or bytes.', {
  'Collection $arg': getSize,
  'String $arg': getSize,
  'Binary $arg': getSize,
})

/** `size`: has one signature where `length` has three, because Puppet's mismatch messages differ. */
export const size = defineFunction('size', 'Same as `length`.', {
  'Variant[Collection, String, Binary] $arg': getSize,
})

/** `empty`: true for undef; false for a number, with a deprecation warning. */
export const empty = defineFunction(
  'empty',
  'Returns true if a collection, string or binary is empty, and for undef.',
  {
    'Collection $coll': (collection: Value) => getSize(collection) === 0,
    'Sensitive[String] $str': (text: Sensitive) => text.unwrap() === '',
    'String $str': (text: string) => text === '',
    'Numeric $num': (_: Value, context: CallContext) => {
      warnDeprecatedUse(context, 'Calling function empty() with Numeric value is deprecated.', { once: 'line' })
      return false
    },
    'Binary $bin': (binary: Binary) => binary.bytes.length === 0,
    'Undef $x': () => true,
  },
)

/** `flatten`: flattens arrays only; a hash inside an array stays a hash. */
export const flattenFunction = defineFunction('flatten', 'Flattens the arguments into one array.', {
  'Any *$args': flattenArrays,
})

/**
 * `join`: nested arrays are joined with the same delimiter; other elements are converted with
 * Ruby's `to_s`.
 */
export const join = defineFunction('join', 'Joins the elements of an array with a delimiter.', {
  'Array $arg, String $delimiter?': (array: readonly Value[], delimiter = '') => joinElements(array, delimiter),
})

/**
 * `sort`: Ruby's order (`<=>`), by code point for strings. Throws RUNTIME_ERROR for values that
 * cannot be compared.
 */
export const sort = defineFunction('sort', 'Sorts an array, or the characters of a string.', {
  'String $string_value, Callable[2,2] &$block?': (text: string, block: FunctionBlock | undefined) =>
    sortElements([...text], block).join(''),
  'Array $array_value, Callable[2,2] &$block?': sortElements,
})

/** `unique`: for a hash, groups the keys with equal values in arrays. */
export const unique = defineFunction('unique', 'Removes duplicates; an optional block computes the value to compare.', {
  'String $string, Callable[String] &$block?': (text: string, block?: FunctionBlock) =>
    removeDuplicates([...text], block).join(''),
  'Hash $hash, Callable[Any] &$block?': (hash: Hash, block?: FunctionBlock) => {
    const groups = new Map<unknown, { keys: Value[]; values: Value[] }>()
    for (const [key, value] of hash) {
      const identity = toMapKey(block ? block(value) : value)
      const group = groups.get(identity) ?? { keys: [], values: [] }
      group.keys.push(key)
      group.values.push(value)
      groups.set(identity, group)
    }
    return Hash.of(Array.from(groups.values(), (group) => [group.keys, removeDuplicates(group.values)]))
  },
  'Array $array, Callable[Any] &$block?': removeDuplicates,
  'Iterable $iterable, Callable[Any] &$block?': removeDuplicates,
})

/** Joins elements. Joins a nested array first; an empty nested array gives an empty string. */
function joinElements(items: readonly Value[], delimiter: string): string {
  return items
    .map((item) => (Array.isArray(item) ? joinElements(item, delimiter) : formatAsString(item)))
    .join(delimiter)
}

function getSize(value: Value): number {
  if (typeof value === 'string') return /[\ud800-\udfff]/.test(value) ? [...value].length : value.length
  if (value instanceof Binary) return value.bytes.length
  return value instanceof Hash ? value.size : (value as readonly Value[]).length
}

function sortElements(items: readonly Value[], block?: FunctionBlock): Value[] {
  return mergeSort(items, block ? (a, b) => toOrder(block(a, b), a, b) : requireRubyOrder)
}

/**
 * Merge sort that compares the same pairs in the same order as Ruby, which uses the C library's
 * `qsort_r`.
 */
function mergeSort(items: readonly Value[], order: (a: Value, b: Value) => number): Value[] {
  if (items.length < 2) return [...items]
  const half = items.length >> 1
  const [left, right] = [mergeSort(items.slice(0, half), order), mergeSort(items.slice(half), order)]
  const merged: Value[] = []
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) merged.push(order(left[l], right[r]) <= 0 ? left[l++] : right[r++])
  return [...merged, ...left.slice(l), ...right.slice(r)]
}

function removeDuplicates(items: Value, block?: FunctionBlock): Value[] {
  const seen = new Map<unknown, Value>()
  for (const item of iterate(items)) {
    const identity = toMapKey(block ? block(item) : item)
    if (!seen.has(identity)) seen.set(identity, item)
  }
  return [...seen.values()]
}
