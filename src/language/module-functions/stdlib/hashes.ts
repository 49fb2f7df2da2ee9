import { iterate } from '../../functions/collections/iterable-items.ts'
import { defineFunction, type FunctionBlock } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseStrictInteger, truncateNumber } from '../../ruby-semantics/numbers/number-parsing.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import type { Value } from '../../values/value.ts'
import { getLegacyClass } from './ruby.ts'

/** `merge`: accepts undef and empty strings as empty hashes; with a block, merges the hashes that the block returns. */
export const merge = defineMerge('merge')
/** `stdlib::merge`: same implementation as `merge`. */
export const stdlibMerge = defineMerge('stdlib::merge')

/** Defines a function that merges hashes, or the hashes that a block returns for each element. */
function defineMerge(name: string) {
  return defineFunction(name, 'Merges hashes; later values override earlier ones.', {
    'Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args >> Hash[Scalar, Any]': (hashes: readonly Value[]) =>
      hashes.reduce<Hash>((all, each) => (each instanceof Hash ? all.merge(each) : all), Hash.empty),
    'Iterable *$args, Callable[3,3] &$block >> Hash': (args: readonly Value[], block: FunctionBlock) => {
      const items = requireOneArgument(args)
      const isHash = items instanceof Hash
      let index = 0
      return accumulateHash(items, (all, each) => {
        const [key, value] = isHash ? (each as readonly Value[]) : [index++, each]
        return block(all, key, value)
      })
    },
    'Iterable *$args, Callable[2,2] &$block >> Hash': (args: readonly Value[], block: FunctionBlock) =>
      accumulateHash(requireOneArgument(args), (all, each) => block(all, each)),
  })
}

function requireOneArgument(args: readonly Value[]): Value {
  return args.length === 1
    ? args[0]
    : throwArgumentError(`wrong number of arguments (given ${args.length}, expected 1)`)
}

function accumulateHash(items: Value, next: (all: Hash, each: Value) => Value): Hash {
  let all = Hash.empty
  for (const each of items instanceof IteratorValue ? items : iterate(items)) {
    const more = next(all, each)
    if (more instanceof Hash) all = all.merge(more)
  }
  return all
}

/** `deep_merge`: arrays are replaced, not concatenated. */
export const deepMerge = defineLegacyFunction('deep_merge', 'Merges hashes recursively.', -1, (args) => {
  if (args.length < 2)
    return throwArgumentError(`deep_merge(): wrong number of arguments (${args.length}; must be at least 2)`)
  return args.reduce<Hash>((all, each) => {
    if (each === '') return all
    if (each instanceof Hash) return mergeDeeply(all, each)
    return throwArgumentError(
      `deep_merge: unexpected argument type ${getLegacyClass(each)}, only expects hash arguments`,
    )
  }, Hash.empty)
})

function mergeDeeply(first: Hash, second: Hash): Hash {
  const merged = Array.from(second, ([key, value]): [Value, Value] => {
    const old = first.get(key)
    return [key, old instanceof Hash && value instanceof Hash ? mergeDeeply(old, value) : value]
  })
  return Hash.of([...first, ...merged])
}

/** `has_key`: true also if the value is undef. */
export const hasKey = defineLegacyFunction('has_key', 'Returns true if a hash contains a key.', -1, (args) => {
  if (args.length !== 2) return throwArgumentError(`has_key(): wrong number of arguments (${args.length}; must be 2)`)
  const [hash, key] = args
  if (hash instanceof Hash) return hash.has(key)
  return throwArgumentError(
    `has_key(): expects the first argument to be a hash, got ${inspectValue(hash)} which is of type ${getLegacyClass(hash)}`,
  )
})

/** `join_keys_to_values`: returns one string for each element of an array value, and only the key for undef. */
export const joinKeysToValues = defineLegacyFunction(
  'join_keys_to_values',
  'Joins each key and value of a hash with a separator.',
  -1,
  (args) => {
    if (args.length !== 2)
      return throwArgumentError(`join_keys_to_values(): Takes exactly two arguments, but ${args.length} given.`)
    const [hash, separator] = args
    if (!(hash instanceof Hash))
      return throwArgumentError(
        `join_keys_to_values(): The first argument must be a hash, but a ${getLegacyClass(hash)} was given.`,
      )
    if (typeof separator !== 'string')
      return throwArgumentError(
        `join_keys_to_values(): The second argument must be a string, but a ${getLegacyClass(separator)} was given.`,
      )
    return [...hash].flatMap(([key, value]) => {
      const start = formatAsString(key)
      if (Array.isArray(value)) return value.map((each) => start + separator + formatAsString(each))
      return formatAsString(value) === 'undef' ? start : start + separator + formatAsString(value)
    })
  },
)

/** `dig44`: stdlib's `dig` for Puppet before 4.5; the default replaces undef at any step of the path. */
export const dig44 = defineLegacyFunction(
  'dig44',
  'Returns the value at a path in nested hashes and arrays, or a default.',
  -2,
  (args) => {
    if (args.length < 2)
      return throwArgumentError(`dig44(): Wrong number of arguments given (${args.length} for at least 2)`)
    const [data, path, otherwise] = args
    if (!(data instanceof Hash) && !Array.isArray(data))
      return throwArgumentError(`dig44(): first argument must be a hash or an array, given ${getLegacyClass(data)}`)
    if (!Array.isArray(path))
      return throwArgumentError(`dig44(): second argument must be an array, given ${getLegacyClass(path)}`)
    let value: Value = data
    for (const key of path) {
      value = digKey(value, key)
      if (value === undefined) return otherwise
    }
    return value
  },
)

function digKey(structure: Value, key: Value): Value {
  if (structure instanceof Hash) return structure.get(key)
  if (!Array.isArray(structure)) return undefined
  const index =
    typeof key === 'string'
      ? parseStrictInteger(key)
      : key instanceof Float
        ? truncateNumber(key.value)
        : typeof key === 'number'
          ? key
          : undefined
  return index === undefined ? undefined : (structure.at(Number(index)) as Value)
}

/** `stdlib::nested_values`: treats arrays as values; does not search hashes inside them. */
export const nestedValues = defineFunction(
  'stdlib::nested_values',
  'Returns all values of a hash and of its nested hashes.',
  {
    'Hash $hash >> Array': listNestedValues,
  },
)

function listNestedValues(hash: Hash): Value[] {
  return hash.values().flatMap((value) => (value instanceof Hash ? listNestedValues(value) : [value]))
}
