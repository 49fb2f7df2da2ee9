import { iterate } from '../../functions/collections/iterate.ts'
import { type Block, defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { strictInteger, truncate } from '../../ruby-semantics/numbers/number-texts.ts'
import { rubyInspect, rubyText } from '../../types/printing/ruby-text.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import type { Value } from '../../values/value.ts'
import { legacyClass } from './ruby.ts'

/** `merge`: accepts undef and empty strings as empty hashes; with a block, merges the hashes that the block returns. */
export const merge = merging('merge')
/** `stdlib::merge`: same implementation as `merge`. */
export const stdlibMerge = merging('stdlib::merge')

/** Defines a function that merges hashes, or the hashes that a block returns for each element. */
function merging(name: string) {
  return defineFunction(name, 'Hashes in one; later ones win.', {
    'Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args >> Hash[Scalar, Any]': (hashes: readonly Value[]) =>
      hashes.reduce<Hash>((all, each) => (each instanceof Hash ? all.merge(each) : all), Hash.empty),
    'Iterable *$args, Callable[3,3] &$block >> Hash': (args: readonly Value[], block: Block) => {
      const items = onlyOne(args)
      const isHash = items instanceof Hash
      let index = 0
      return accumulate(items, (all, each) => {
        const [key, value] = isHash ? (each as readonly Value[]) : [index++, each]
        return block(all, key, value)
      })
    },
    'Iterable *$args, Callable[2,2] &$block >> Hash': (args: readonly Value[], block: Block) =>
      accumulate(onlyOne(args), (all, each) => block(all, each)),
  })
}

function onlyOne(args: readonly Value[]): Value {
  return args.length === 1 ? args[0] : refuse(`wrong number of arguments (given ${args.length}, expected 1)`)
}

function accumulate(items: Value, next: (all: Hash, each: Value) => Value): Hash {
  let all = Hash.empty
  for (const each of items instanceof IteratorValue ? items : iterate(items)) {
    const more = next(all, each)
    if (more instanceof Hash) all = all.merge(more)
  }
  return all
}

/** `deep_merge`: arrays are replaced, not concatenated. */
export const deepMerge = defineLegacyFunction(
  'deep_merge',
  'Hashes in one, and the hashes in them too.',
  -1,
  (args) => {
    if (args.length < 2) return refuse(`deep_merge(): wrong number of arguments (${args.length}; must be at least 2)`)
    return args.reduce<Hash>((all, each) => {
      if (each === '') return all
      if (each instanceof Hash) return mergedDeeply(all, each)
      return refuse(`deep_merge: unexpected argument type ${legacyClass(each)}, only expects hash arguments`)
    }, Hash.empty)
  },
)

function mergedDeeply(first: Hash, second: Hash): Hash {
  const merged = Array.from(second, ([key, value]): [Value, Value] => {
    const old = first.get(key)
    return [key, old instanceof Hash && value instanceof Hash ? mergedDeeply(old, value) : value]
  })
  return Hash.of([...first, ...merged])
}

/** `has_key`: true also if the value is undef. */
export const hasKey = defineLegacyFunction('has_key', 'Whether a hash has a key.', -1, (args) => {
  if (args.length !== 2) return refuse(`has_key(): wrong number of arguments (${args.length}; must be 2)`)
  const [hash, key] = args
  if (hash instanceof Hash) return hash.has(key)
  return refuse(
    `has_key(): expects the first argument to be a hash, got ${rubyInspect(hash)} which is of type ${legacyClass(hash)}`,
  )
})

/** `join_keys_to_values`: returns one string for each element of an array value, and only the key for undef. */
export const joinKeysToValues = defineLegacyFunction(
  'join_keys_to_values',
  'Texts of a key, a separator and a value: one for each value.',
  -1,
  (args) => {
    if (args.length !== 2)
      return refuse(`join_keys_to_values(): Takes exactly two arguments, but ${args.length} given.`)
    const [hash, separator] = args
    if (!(hash instanceof Hash))
      return refuse(`join_keys_to_values(): The first argument must be a hash, but a ${legacyClass(hash)} was given.`)
    if (typeof separator !== 'string')
      return refuse(
        `join_keys_to_values(): The second argument must be a string, but a ${legacyClass(separator)} was given.`,
      )
    return [...hash].flatMap(([key, value]) => {
      const start = rubyText(key)
      if (Array.isArray(value)) return value.map((each) => start + separator + rubyText(each))
      return rubyText(value) === 'undef' ? start : start + separator + rubyText(value)
    })
  },
)

/** `dig44`: stdlib's `dig` for Puppet before 4.5; the default replaces undef at any step of the path. */
export const dig44 = defineLegacyFunction(
  'dig44',
  'The value that a path of keys leads to in hashes and arrays, or a default.',
  -2,
  (args) => {
    if (args.length < 2) return refuse(`dig44(): Wrong number of arguments given (${args.length} for at least 2)`)
    const [data, path, otherwise] = args
    if (!(data instanceof Hash) && !Array.isArray(data))
      return refuse(`dig44(): first argument must be a hash or an array, given ${legacyClass(data)}`)
    if (!Array.isArray(path)) return refuse(`dig44(): second argument must be an array, given ${legacyClass(path)}`)
    let value: Value = data
    for (const key of path) {
      value = stepInto(value, key)
      if (value === undefined) return otherwise
    }
    return value
  },
)

function stepInto(structure: Value, key: Value): Value {
  if (structure instanceof Hash) return structure.get(key)
  if (!Array.isArray(structure)) return undefined
  const index =
    typeof key === 'string'
      ? strictInteger(key)
      : key instanceof Float
        ? truncate(key.value)
        : typeof key === 'number'
          ? key
          : undefined
  return index === undefined ? undefined : (structure.at(Number(index)) as Value)
}

/** `stdlib::nested_values`: treats arrays as values; does not search hashes inside them. */
export const nestedValues = defineFunction('stdlib::nested_values', 'All values of a hash and of the hashes in it.', {
  'Hash $hash >> Array': nestedIn,
})

function nestedIn(hash: Hash): Value[] {
  return hash.values().flatMap((value) => (value instanceof Hash ? nestedIn(value) : [value]))
}
