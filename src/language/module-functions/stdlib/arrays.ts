import { rubyEquals } from '../../functions/collections/ruby-compare.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { escapeRegexp } from '../../ruby-semantics/regexp/escape.ts'
import { isMatch } from '../../ruby-semantics/regexp/match.ts'
import { boundedCount } from '../../ruby-semantics/sizes.ts'
import { characterSet } from '../../ruby-semantics/text/character-set.ts'
import { rubyInspect, rubyText } from '../../types/printing/ruby-text.ts'
import { flatten } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { toMapKey } from '../../values/hash-key.ts'
import { Regexp } from '../../values/regexp.ts'
import type { Value } from '../../values/value.ts'
import { distinct } from './distinct.ts'
import { wrongCount } from './issues.ts'
import { legacyClass, noMethod, noText, toArray, toInteger, toLegacyText } from './ruby.ts'
import { textIsTrue } from './truth.ts'

/** `any2array`: returns a single array unchanged, and `[]` for the empty string, which represents undef. */
export const any2array = defineLegacyFunction(
  'any2array',
  'An array of the arguments; one array stays, a hash becomes keys and values in turn.',
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
export const concat = defineLegacyFunction('concat', 'Arrays and values one after the other.', -1, (args) => {
  if (args.length < 2) return wrongCount('concat', args.length, '< 2')
  const [first, ...others] = args
  if (!Array.isArray(first)) return refuse('concat(): Requires array to work with')
  return [...first, ...others.flat()]
})

/**
 * `count`: counts the elements equal to an item; without an item or with false, the elements that are neither undef nor
 * empty.
 */
export const count = defineLegacyFunction(
  'count',
  'How many elements an array has: equal to the second argument, or not empty.',
  -2,
  (args) => {
    if (args.length > 2) return refuse(`count(): Wrong number of arguments given ${args.length} for 1 or 2.`)
    const [collection, item] = args
    const items = Array.isArray(collection) ? collection : collection instanceof Hash ? [...collection] : undefined
    if (typeof collection === 'string' && args.length === 2 && item !== false) return countCharacters(collection, item)
    if (!items)
      return typeof collection === 'string'
        ? refuse('wrong number of arguments (given 0, expected 1+)')
        : noMethod('count', collection)
    if (args.length === 2 && item !== false) return items.filter((each) => rubyEquals(each, item)).length
    return items.filter((each) => each !== undefined && each !== '').length
  },
)

/** Ruby's `String#count`, for sets without ranges and negation. */
function countCharacters(text: string, set: Value): Value {
  if (typeof set !== 'string') return noText(set)
  const isIn = characterSet(set)
  return [...text].filter(isIn).length
}

/** `delete`: removes an item, or each item of an array; from a string, removes every occurrence. */
export const deleteFunction = defineLegacyFunction(
  'delete',
  'Without all that equals the item or one of the items: of an array, the keys of a hash, a text.',
  -1,
  (args) => {
    if (args.length !== 2) return refuse(`delete(): Wrong number of arguments given ${args.length} for 2`)
    const [collection, unwanted] = args
    const items = unwanted instanceof Hash ? [...unwanted] : toArray(unwanted)
    if (Array.isArray(collection)) return collection.filter((each) => !items.some((item) => rubyEquals(each, item)))
    if (collection instanceof Hash) return collection.without(items)
    if (typeof collection === 'string') return items.reduce<string>((text, item) => withoutText(text, item), collection)
    if (items.length === 0) return collection
    return refuse(
      `delete(): First argument must be an Array, String, or Hash. Given an argument of class ${legacyClass(collection)}.`,
    )
  },
)

function withoutText(text: string, item: Value): string {
  if (typeof item === 'string') return text.replaceAll(item, '')
  return refuse(`wrong argument type ${legacyClass(item)} (expected Regexp)`)
}

/** `delete_at`: an index given as a string must consist of digits; a negative Integer counts from the end. */
export const deleteAt = defineLegacyFunction('delete_at', 'Without the element at an index.', -1, (args) => {
  if (args.length < 2) return wrongCount('delete_at', args.length, '2')
  const [array, index] = args
  if (!Array.isArray(array)) return refuse('delete_at(): Requires array to work with')
  if (typeof index === 'string' && !/^\d+$/m.test(index))
    return refuse('delete_at(): You must provide non-negative numeric index')
  const at = Number(toInteger(index))
  if (at > array.length - 1) return refuse('delete_at(): Given index exceeds size of array given')
  const place = at < 0 ? at + array.length : at
  return array.filter((_, each) => each !== place)
})

/** `delete_regex`: deletes elements, or keys of a hash, that a pattern matches between word boundaries (`\b`). */
export const deleteRegex = defineLegacyFunction(
  'delete_regex',
  'Without the texts, or the keys, that have a word which a pattern matches.',
  -1,
  (args) => {
    if (args.length !== 2) return refuse(`delete_regex(): Wrong number of arguments given ${args.length} for 2`)
    const [collection, patterns] = args
    const items = patterns instanceof Hash ? [...patterns] : toArray(patterns)
    if (items.length === 0) return collection
    if (typeof collection === 'string') return noMethod('reject!', collection)
    const unwanted = (value: Value): boolean =>
      typeof value === 'string' && items.some((item) => isMatch(new Regexp(`\\b${rubyText(item)}\\b`), value))
    if (Array.isArray(collection)) return collection.filter((each) => !unwanted(each))
    if (collection instanceof Hash) return Hash.of([...collection].filter(([key]) => !unwanted(key)))
    return refuse(
      `delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class ${legacyClass(collection)}.`,
    )
  },
)

/** `delete_undef_values`: deletes undef values at the top level only; keeps empty strings. */
export const deleteUndefValues = defineLegacyFunction(
  'delete_undef_values',
  'Without undef: of an array, of the values of a hash.',
  -1,
  (args) => {
    if (args.length === 0) return refuse('delete_undef_values(): Wrong number of arguments given (0)')
    const [collection] = args
    if (Array.isArray(collection)) return collection.filter((each) => each !== undefined)
    if (collection instanceof Hash) return Hash.of([...collection].filter(([, value]) => value !== undefined))
    return refuse(
      `delete_undef_values(): expected an array or hash, got ${toLegacyText(collection)} type  ${legacyClass(collection)} `,
    )
  },
)

/** `delete_values`: compares with Ruby's `==`, which is case-sensitive. */
export const deleteValues = defineLegacyFunction(
  'delete_values',
  'Without the entries that have a value.',
  -1,
  (args) => {
    if (args.length !== 2) return refuse(`delete_values(): Wrong number of arguments given (${args.length} of 2)`)
    const [hash, item] = args
    if (hash instanceof Hash) return Hash.of([...hash].filter(([, value]) => !rubyEquals(item, value)))
    return refuse(`delete_values(): First argument must be a Hash. Given an argument of class ${legacyClass(hash)}.`)
  },
)

/** `difference`: Ruby's `Array#-`, which compares elements like hash keys: `1` and `1.0` differ. */
export const difference = defineLegacyFunction(
  'difference',
  'What the first array has and the second has not.',
  -1,
  (args) => {
    if (args.length !== 2) return wrongCount('difference', args.length, '2')
    const [first, second] = args
    if (!Array.isArray(first) || !Array.isArray(second)) return refuse('difference(): Requires 2 arrays')
    return without(first, second)
  },
)

/** `intersection`: Ruby's `Array#&`, in the order of the first array. */
export const intersection = defineLegacyFunction('intersection', 'What both arrays have, once.', -1, (args) => {
  if (args.length !== 2) return wrongCount('intersection', args.length, '2')
  const [first, second] = args
  if (!Array.isArray(first) || !Array.isArray(second))
    return refuse(`intersection(): Requires 2 arrays, got ${legacyClass(first)} and ${legacyClass(second)}`)
  const known = new Set(second.map(toMapKey))
  return distinct(first).filter((each) => known.has(toMapKey(each)))
})

/** `union`: Ruby's `Array#|`, in the order of first occurrence. */
export const union = defineLegacyFunction('union', 'What any of the arrays has, once.', -1, (args) => {
  if (args.length < 2) return wrongCount('union', args.length, '< 2')
  if (!args.every((each) => Array.isArray(each))) return refuse('union(): Every parameter must be an array')
  return distinct(args.flat())
})

/** `member`: true if the array contains all sought elements. */
export const member = defineLegacyFunction('member', 'Whether an array has a value, or all of several.', -1, (args) => {
  if (args.length < 2) return wrongCount('member', args.length, '2')
  const [array, sought] = args
  if (!Array.isArray(array)) return refuse('member(): Requires array to work with')
  const isOne = typeof sought === 'string' || typeof sought === 'number' || typeof sought === 'bigint'
  if (!isOne && !Array.isArray(sought)) return refuse('member(): Item to search for must be a string, fixnum, or array')
  const items = isOne ? [sought] : (sought as readonly Value[])
  if (items.length === 0) return refuse('member(): You must provide item to search for within array given')
  return without(items, array).length === 0
})

/** Ruby's `Array#-`. */
function without(items: readonly Value[], gone: readonly Value[]): Value[] {
  const unwanted = new Set(gone.map(toMapKey))
  return items.filter((each) => !unwanted.has(toMapKey(each)))
}

/** `prefix`: converts elements, or the keys of a hash, to strings with a prefix. */
export const prefix = affix(
  'prefix',
  'Each element, or each key, with a text before it.',
  (text, added) => added + text,
)
/** `suffix`: converts elements, or the keys of a hash, to strings with a suffix. */
export const suffix = affix('suffix', 'Each element, or each key, with a text after it.', (text, added) => text + added)

function affix(name: string, doc: string, join: (text: string, added: string) => string) {
  return defineLegacyFunction(name, doc, -1, (args) => {
    if (args.length === 0) return wrongCount(name, 0, '1')
    const [items, added] = args
    if (!Array.isArray(items) && !(items instanceof Hash))
      return refuse(`${name}(): expected first argument to be an Array or a Hash, got ${rubyInspect(items)}`)
    if (added !== undefined && added !== false && typeof added !== 'string')
      return refuse(`${name}(): expected second argument to be a String, got ${rubyInspect(added)}`)
    const change = (value: Value): string => join(rubyText(value), typeof added === 'string' ? added : '')
    if (items instanceof Hash) return Hash.of(Array.from(items, ([key, value]) => [change(key), value]))
    return items.map(change)
  })
}

/** `grep`: Ruby's `Array#grep` by a string pattern. Only strings match; for a hash, the result is `[]`. */
export const grep = defineLegacyFunction('grep', 'The elements that a pattern matches.', -1, (args) => {
  if (args.length !== 2) return refuse(`grep(): Wrong number of arguments given ${args.length} for 2`)
  const pattern = toPattern(args[1])
  const [items] = args
  if (items instanceof Hash) return []
  if (!Array.isArray(items)) return noMethod('grep', items)
  return items.filter((each) => typeof each === 'string' && isMatch(pattern, each))
})

/** `reject`: the complement of `grep`. Returns a hash unchanged. */
export const reject = defineLegacyFunction('reject', 'The elements that a pattern does not match.', -1, (args) => {
  if (args.length !== 2) return refuse(`reject(): Wrong number of arguments given ${args.length} for 2`)
  const pattern = toPattern(args[1])
  const [items] = args
  if (items instanceof Hash) return items
  if (!Array.isArray(items)) return noMethod('reject', items)
  return items.filter((each) => typeof each !== 'string' || !isMatch(pattern, each))
})

function toPattern(value: Value): Regexp {
  if (typeof value === 'string') return new Regexp(value)
  return noText(value)
}

/** `reverse`: reverses an array, or the code points of a string. */
export const reverse = defineLegacyFunction('reverse', 'An array or a text, last first.', -1, (args) => {
  if (args.length === 0) return wrongCount('reverse', 0, '1')
  const [value] = args
  if (Array.isArray(value)) return value.toReversed()
  if (typeof value === 'string') return [...value].reverse().join('')
  return refuse('reverse(): Requires either array or string to work with')
})

/**
 * `zip`: the result is as long as the first array; a shorter second array is padded with undef. Flat if the third
 * argument is true.
 */
export const zip = defineLegacyFunction('zip', 'Pairs of the elements of two arrays; flat if wanted.', -1, (args) => {
  if (args.length < 2) return wrongCount('zip', args.length, '2')
  const [first, second, flat = ''] = args
  if (!Array.isArray(first) || !Array.isArray(second)) return refuse('zip(): Requires array to work with')
  const pairs = first.map((each, index) => [each, second[index] as Value])
  return args.length > 2 && flat !== false && textIsTrue(flat) ? flatten(pairs) : pairs
})

/** `hash`: flattens the array first. Throws RUNTIME_ERROR for an odd number of elements. */
export const hash = defineLegacyFunction('hash', 'A hash of an array of keys and values in turn.', -1, (args) => {
  if (args.length === 0) return wrongCount('hash', 0, '1')
  const [array] = args
  if (!Array.isArray(array)) return refuse('hash(): Requires array to work with')
  const flat = flatten(array)
  if (flat.length === 1 && flat[0] instanceof Hash) return flat[0]
  if (flat.length % 2 === 1) return refuse('hash(): Unable to compute hash from array given')
  return Hash.of(Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index], flat[2 * index + 1]] as const))
})

/** `values_at`: `1-3` and `1..3` include their end, `1...3` excludes it; undef elements are omitted. */
export const valuesAt = defineLegacyFunction(
  'values_at',
  'The elements of an array at some indices: numbers, or ranges such as `1-3`.',
  -1,
  (args) => {
    if (args.length < 2) return wrongCount('values_at', args.length, '2')
    const [array, wanted] = args
    if (!Array.isArray(array)) return refuse('values_at(): Requires array to work with')
    const indices = Array.isArray(wanted) ? flatten(wanted) : [wanted]
    if (indices.length === 0) return refuse('values_at(): You must provide at least one positive index to collect')
    return indices
      .flatMap((index) => parseIndexes(rubyText(index), array.length - 1))
      .map((index) => array[index] as Value)
      .filter((value) => value !== undefined)
  },
)

function parseIndexes(text: string, last: number): number[] {
  const range = /^(\d+)(\.\.\.?|-)(\d+)$/m.exec(text)
  if (!range) {
    if (!/^\d+$/m.test(text)) return refuse('values_at(): Unknown format of given index')
    const index = Number(toInteger(text))
    return index > last ? refuse('values_at(): Given index exceeds array size') : [index]
  }
  const [start, stop] = [Number(range[1]), Number(range[3])]
  if (start > stop) return refuse('values_at(): Stop index in given indices range is smaller than the start index')
  if (stop > last) return refuse('values_at(): Stop index in given indices range exceeds array size')
  const length = stop - start + (range[2] === '...' ? 0 : 1)
  return Array.from({ length: boundedCount(length) }, (_, index) => start + index)
}

/** `regexpescape`: Ruby's `Regexp.escape`; keeps values in an array that are not strings. */
export const regexpescape = defineLegacyFunction(
  'regexpescape',
  'A text, or the texts of an array, as a pattern that matches it.',
  -1,
  (args) => {
    if (args.length === 0) return wrongCount('regexpescape', 0, '1')
    const [value] = args
    if (typeof value === 'string') return escapeRegexp(value)
    if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? escapeRegexp(each) : each))
    return refuse('regexpescape(): Requires either array or string to work with')
  },
)
