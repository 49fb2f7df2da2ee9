import { isRubyEqual } from '../../functions/collections/ruby-compare.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { escapeRegexp } from '../../ruby-semantics/regexp/escape.ts'
import { isMatch } from '../../ruby-semantics/regexp/match.ts'
import { requireBoundedCount } from '../../ruby-semantics/size-limits.ts'
import { parseCharacterSet } from '../../ruby-semantics/text/character-set.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { toMapKey } from '../../values/hash-key.ts'
import { Regexp } from '../../values/regexp.ts'
import type { Value } from '../../values/value.ts'
import { toBoolean } from './booleans.ts'
import { failWrongCount } from './issues.ts'
import { failNoMethod, failNotString, getLegacyClass, toArray, toInteger, toLegacyText } from './ruby.ts'
import { selectDistinct } from './unique-elements.ts'

/** `any2array`: returns a single array unchanged, and `[]` for the empty string, which represents undef. */
export const any2array = defineLegacyFunction(
  'any2array',
  'Converts the arguments to an array; a hash becomes alternating keys and values.',
  -1,
  (args) => {
    const [only] = args
    if (args.length !== 1) return args
    if (Array.isArray(only)) return only
    if (only === '') return []
    return only instanceof Hash ? [...only].flat() : args
  },
)

/** `concat`: the first argument must be an array; other arrays are flattened one level. */
export const concat = defineLegacyFunction('concat', 'Appends arrays and values to an array.', -1, (args) => {
  if (args.length < 2) return failWrongCount('concat', args.length, '< 2')
  const [first, ...others] = args
  if (!Array.isArray(first)) return throwArgumentError('concat(): Requires array to work with')
  return [...first, ...others.flat()]
})

/**
 * `count`: counts the elements equal to an item; without an item or with false, the elements that are neither undef nor
 * empty.
 */
export const count = defineLegacyFunction(
  'count',
  'Counts the elements of an array that equal the second argument or, without it, are not empty.',
  -2,
  (args) => {
    if (args.length > 2)
      return throwArgumentError(`count(): Wrong number of arguments given ${args.length} for 1 or 2.`)
    const [collection, item] = args
    const items = Array.isArray(collection) ? collection : collection instanceof Hash ? [...collection] : undefined
    if (typeof collection === 'string' && args.length === 2 && item !== false) return countCharacters(collection, item)
    if (!items)
      return typeof collection === 'string'
        ? throwArgumentError('wrong number of arguments (given 0, expected 1+)')
        : failNoMethod('count', collection)
    if (args.length === 2 && item !== false) return items.filter((each) => isRubyEqual(each, item)).length
    return items.filter((each) => each !== undefined && each !== '').length
  },
)

/** Ruby's `String#count`, for sets without ranges and negation. */
function countCharacters(text: string, set: Value): Value {
  if (typeof set !== 'string') return failNotString(set)
  const isIn = parseCharacterSet(set)
  return [...text].filter(isIn).length
}

/** `delete`: removes an item, or each item of an array; from a string, removes every occurrence. */
export const deleteFunction = defineLegacyFunction(
  'delete',
  'Removes one or more items from an array, keys from a hash, or substrings from a string.',
  -1,
  (args) => {
    if (args.length !== 2) return throwArgumentError(`delete(): Wrong number of arguments given ${args.length} for 2`)
    const [collection, unwanted] = args
    const items = unwanted instanceof Hash ? [...unwanted] : toArray(unwanted)
    if (Array.isArray(collection)) return collection.filter((each) => !items.some((item) => isRubyEqual(each, item)))
    if (collection instanceof Hash) return collection.without(items)
    if (typeof collection === 'string') return items.reduce<string>((text, item) => removeText(text, item), collection)
    if (items.length === 0) return collection
    return throwArgumentError(
      `delete(): First argument must be an Array, String, or Hash. Given an argument of class ${getLegacyClass(collection)}.`,
    )
  },
)

function removeText(text: string, item: Value): string {
  if (typeof item === 'string') return text.replaceAll(item, '')
  return throwArgumentError(`wrong argument type ${getLegacyClass(item)} (expected Regexp)`)
}

/** `delete_at`: an index given as a string must consist of digits; a negative Integer counts from the end. */
export const deleteAt = defineLegacyFunction('delete_at', 'Removes the element at an index.', -1, (args) => {
  if (args.length < 2) return failWrongCount('delete_at', args.length, '2')
  const [array, index] = args
  if (!Array.isArray(array)) return throwArgumentError('delete_at(): Requires array to work with')
  if (typeof index === 'string' && !/^\d+$/m.test(index))
    return throwArgumentError('delete_at(): You must provide non-negative numeric index')
  const at = Number(toInteger(index))
  if (at > array.length - 1) return throwArgumentError('delete_at(): Given index exceeds size of array given')
  const place = at < 0 ? at + array.length : at
  return array.filter((_, each) => each !== place)
})

/** `delete_regex`: deletes elements, or keys of a hash, that a pattern matches between word boundaries (`\b`). */
export const deleteRegex = defineLegacyFunction(
  'delete_regex',
  'Removes the strings of an array, or the keys of a hash, that match a pattern.',
  -1,
  (args) => {
    if (args.length !== 2)
      return throwArgumentError(`delete_regex(): Wrong number of arguments given ${args.length} for 2`)
    const [collection, patterns] = args
    const items = patterns instanceof Hash ? [...patterns] : toArray(patterns)
    if (items.length === 0) return collection
    if (typeof collection === 'string') return failNoMethod('reject!', collection)
    const isUnwanted = (value: Value): boolean =>
      typeof value === 'string' && items.some((item) => isMatch(new Regexp(`\\b${formatAsString(item)}\\b`), value))
    if (Array.isArray(collection)) return collection.filter((each) => !isUnwanted(each))
    if (collection instanceof Hash) return Hash.of([...collection].filter(([key]) => !isUnwanted(key)))
    return throwArgumentError(
      `delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class ${getLegacyClass(collection)}.`,
    )
  },
)

/** `delete_undef_values`: deletes undef values at the top level only; keeps empty strings. */
export const deleteUndefValues = defineLegacyFunction(
  'delete_undef_values',
  'Removes undef from an array or from the values of a hash.',
  -1,
  (args) => {
    if (args.length === 0) return throwArgumentError('delete_undef_values(): Wrong number of arguments given (0)')
    const [collection] = args
    if (Array.isArray(collection)) return collection.filter((each) => each !== undefined)
    if (collection instanceof Hash) return Hash.of([...collection].filter(([, value]) => value !== undefined))
    return throwArgumentError(
      `delete_undef_values(): expected an array or hash, got ${toLegacyText(collection)} type  ${getLegacyClass(collection)} `,
    )
  },
)

/** `delete_values`: compares with Ruby's `==`, which is case-sensitive. */
export const deleteValues = defineLegacyFunction(
  'delete_values',
  'Removes the entries of a hash that have a value.',
  -1,
  (args) => {
    if (args.length !== 2)
      return throwArgumentError(`delete_values(): Wrong number of arguments given (${args.length} of 2)`)
    const [hash, item] = args
    if (hash instanceof Hash) return Hash.of([...hash].filter(([, value]) => !isRubyEqual(item, value)))
    return throwArgumentError(
      `delete_values(): First argument must be a Hash. Given an argument of class ${getLegacyClass(hash)}.`,
    )
  },
)

/** `difference`: Ruby's `Array#-`, which compares elements like hash keys: `1` and `1.0` differ. */
export const difference = defineLegacyFunction(
  'difference',
  'Returns the elements of the first array that the second array lacks.',
  -1,
  (args) => {
    if (args.length !== 2) return failWrongCount('difference', args.length, '2')
    const [first, second] = args
    if (!Array.isArray(first) || !Array.isArray(second)) return throwArgumentError('difference(): Requires 2 arrays')
    return subtractElements(first, second)
  },
)

/** `intersection`: Ruby's `Array#&`, in the order of the first array. */
export const intersection = defineLegacyFunction(
  'intersection',
  'Returns the distinct elements that both arrays contain.',
  -1,
  (args) => {
    if (args.length !== 2) return failWrongCount('intersection', args.length, '2')
    const [first, second] = args
    if (!Array.isArray(first) || !Array.isArray(second))
      return throwArgumentError(
        `intersection(): Requires 2 arrays, got ${getLegacyClass(first)} and ${getLegacyClass(second)}`,
      )
    const known = new Set(second.map(toMapKey))
    return selectDistinct(first).filter((each) => known.has(toMapKey(each)))
  },
)

/** `union`: Ruby's `Array#|`, in the order of first occurrence. */
export const union = defineLegacyFunction('union', 'Returns the distinct elements of all arrays.', -1, (args) => {
  if (args.length < 2) return failWrongCount('union', args.length, '< 2')
  if (!args.every((each) => Array.isArray(each))) return throwArgumentError('union(): Every parameter must be an array')
  return selectDistinct(args.flat())
})

/** `member`: true if the array contains all sought elements. */
export const member = defineLegacyFunction(
  'member',
  'Returns true if an array contains a value, or all of several values.',
  -1,
  (args) => {
    if (args.length < 2) return failWrongCount('member', args.length, '2')
    const [array, sought] = args
    if (!Array.isArray(array)) return throwArgumentError('member(): Requires array to work with')
    const isOne = typeof sought === 'string' || typeof sought === 'number' || typeof sought === 'bigint'
    if (!isOne && !Array.isArray(sought))
      return throwArgumentError('member(): Item to search for must be a string, fixnum, or array')
    const items = isOne ? [sought] : (sought as readonly Value[])
    if (items.length === 0)
      return throwArgumentError('member(): You must provide item to search for within array given')
    return subtractElements(items, array).length === 0
  },
)

/** Removes elements from an array, like Ruby's `Array#-`. */
function subtractElements(items: readonly Value[], gone: readonly Value[]): Value[] {
  const unwanted = new Set(gone.map(toMapKey))
  return items.filter((each) => !unwanted.has(toMapKey(each)))
}

/** `prefix`: converts elements, or the keys of a hash, to strings with a prefix. */
export const prefix = defineAffix(
  'prefix',
  'Adds a prefix to each element of an array or each key of a hash.',
  (text, added) => added + text,
)
/** `suffix`: converts elements, or the keys of a hash, to strings with a suffix. */
export const suffix = defineAffix(
  'suffix',
  'Adds a suffix to each element of an array or each key of a hash.',
  (text, added) => text + added,
)

function defineAffix(name: string, doc: string, join: (text: string, added: string) => string) {
  return defineLegacyFunction(name, doc, -1, (args) => {
    if (args.length === 0) return failWrongCount(name, 0, '1')
    const [items, added] = args
    if (!Array.isArray(items) && !(items instanceof Hash))
      return throwArgumentError(
        `${name}(): expected first argument to be an Array or a Hash, got ${inspectValue(items)}`,
      )
    if (added !== undefined && added !== false && typeof added !== 'string')
      return throwArgumentError(`${name}(): expected second argument to be a String, got ${inspectValue(added)}`)
    const addAffix = (value: Value): string => join(formatAsString(value), typeof added === 'string' ? added : '')
    if (items instanceof Hash) return Hash.of(Array.from(items, ([key, value]) => [addAffix(key), value]))
    return items.map(addAffix)
  })
}

/** `grep`: Ruby's `Array#grep` by a string pattern. Only strings match; for a hash, the result is `[]`. */
export const grep = defineLegacyFunction('grep', 'Returns the elements that match a pattern.', -1, (args) => {
  if (args.length !== 2) return throwArgumentError(`grep(): Wrong number of arguments given ${args.length} for 2`)
  const pattern = toPattern(args[1])
  const [items] = args
  if (items instanceof Hash) return []
  if (!Array.isArray(items)) return failNoMethod('grep', items)
  return items.filter((each) => typeof each === 'string' && isMatch(pattern, each))
})

/** `reject`: the complement of `grep`. Returns a hash unchanged. */
export const reject = defineLegacyFunction(
  'reject',
  'Returns the elements that do not match a pattern.',
  -1,
  (args) => {
    if (args.length !== 2) return throwArgumentError(`reject(): Wrong number of arguments given ${args.length} for 2`)
    const pattern = toPattern(args[1])
    const [items] = args
    if (items instanceof Hash) return items
    if (!Array.isArray(items)) return failNoMethod('reject', items)
    return items.filter((each) => typeof each !== 'string' || !isMatch(pattern, each))
  },
)

function toPattern(value: Value): Regexp {
  if (typeof value === 'string') return new Regexp(value)
  return failNotString(value)
}

/** `reverse`: reverses an array, or the code points of a string. */
export const reverse = defineLegacyFunction('reverse', 'Reverses an array or a string.', -1, (args) => {
  if (args.length === 0) return failWrongCount('reverse', 0, '1')
  const [value] = args
  if (Array.isArray(value)) return value.toReversed()
  if (typeof value === 'string') return [...value].reverse().join('')
  return throwArgumentError('reverse(): Requires either array or string to work with')
})

/**
 * `zip`: the result is as long as the first array; a shorter second array is padded with undef. Flat if the third
 * argument is true.
 */
export const zip = defineLegacyFunction(
  'zip',
  'Combines the elements of two arrays to pairs, optionally flattened.',
  -1,
  (args) => {
    if (args.length < 2) return failWrongCount('zip', args.length, '2')
    const [first, second, flat = ''] = args
    if (!Array.isArray(first) || !Array.isArray(second)) return throwArgumentError('zip(): Requires array to work with')
    const pairs = first.map((each, index) => [each, second[index] as Value])
    return args.length > 2 && flat !== false && toBoolean(flat) ? flattenArrays(pairs) : pairs
  },
)

/** `hash`: flattens the array first. Throws RUNTIME_ERROR for an odd number of elements. */
export const hash = defineLegacyFunction(
  'hash',
  'Converts an array of alternating keys and values to a hash.',
  -1,
  (args) => {
    if (args.length === 0) return failWrongCount('hash', 0, '1')
    const [array] = args
    if (!Array.isArray(array)) return throwArgumentError('hash(): Requires array to work with')
    const flat = flattenArrays(array)
    if (flat.length === 1 && flat[0] instanceof Hash) return flat[0]
    if (flat.length % 2 === 1) return throwArgumentError('hash(): Unable to compute hash from array given')
    return Hash.of(
      Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index], flat[2 * index + 1]] as const),
    )
  },
)

/** `values_at`: `1-3` and `1..3` include their end, `1...3` excludes it; undef elements are omitted. */
export const valuesAt = defineLegacyFunction(
  'values_at',
  'Returns the elements of an array at the given indices or ranges such as `1-3`.',
  -1,
  (args) => {
    if (args.length < 2) return failWrongCount('values_at', args.length, '2')
    const [array, wanted] = args
    if (!Array.isArray(array)) return throwArgumentError('values_at(): Requires array to work with')
    const indices = Array.isArray(wanted) ? flattenArrays(wanted) : [wanted]
    if (indices.length === 0)
      return throwArgumentError('values_at(): You must provide at least one positive index to collect')
    return indices
      .flatMap((index) => parseIndexes(formatAsString(index), array.length - 1))
      .map((index) => array[index] as Value)
      .filter((value) => value !== undefined)
  },
)

function parseIndexes(text: string, last: number): number[] {
  const range = /^(\d+)(\.\.\.?|-)(\d+)$/m.exec(text)
  if (!range) {
    if (!/^\d+$/m.test(text)) return throwArgumentError('values_at(): Unknown format of given index')
    const index = Number(toInteger(text))
    return index > last ? throwArgumentError('values_at(): Given index exceeds array size') : [index]
  }
  const [start, stop] = [Number(range[1]), Number(range[3])]
  if (start > stop)
    return throwArgumentError('values_at(): Stop index in given indices range is smaller than the start index')
  if (stop > last) return throwArgumentError('values_at(): Stop index in given indices range exceeds array size')
  const length = stop - start + (range[2] === '...' ? 0 : 1)
  return Array.from({ length: requireBoundedCount(length) }, (_, index) => start + index)
}

/** `regexpescape`: Ruby's `Regexp.escape`; keeps values in an array that are not strings. */
export const regexpescape = defineLegacyFunction(
  'regexpescape',
  'Escapes a string, or each string of an array, for use in a regular expression.',
  -1,
  (args) => {
    if (args.length === 0) return failWrongCount('regexpescape', 0, '1')
    const [value] = args
    if (typeof value === 'string') return escapeRegexp(value)
    if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? escapeRegexp(each) : each))
    return throwArgumentError('regexpescape(): Requires either array or string to work with')
  },
)
