import { iterate } from '../../functions/collections/iterable-items.ts'
import { requireRubyOrder } from '../../functions/collections/ruby-compare.ts'
import { defineFunction, type FunctionBlock } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { formatAsRuby } from '../../functions/text/sprintf.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseStrictInteger } from '../../ruby-semantics/numbers/number-parsing.ts'
import { inferDetailedType } from '../../types/infer.ts'
import { isInstance } from '../../types/is-instance.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { compareVersions } from '../../values/compare-versions.ts'
import { Hash } from '../../values/hash.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { reportDeprecation } from './deprecation.ts'
import { failNoMethod } from './ruby.ts'

/**
 * `pick`: returns the first value that is neither undef nor empty; false is a value. Throws RUNTIME_ERROR without one.
 */
export const pick = defineLegacyFunction(
  'pick',
  'Returns the first argument that is neither undef nor empty.',
  -1,
  (args) => {
    const found = args.find((value) => value !== undefined && value !== '')
    return found === undefined || isEmptyText(found)
      ? throwArgumentError('pick(): must receive at least one non empty value')
      : found
  },
)

function isEmptyText(value: Value): boolean {
  return formatAsString(value) === ''
}

/**
 * `pick_default`: returns the first value that is neither undef nor empty, otherwise the last argument; false is a
 * value.
 */
export const pickDefault = defineLegacyFunction(
  'pick_default',
  'Returns the first argument that is neither undef nor empty; otherwise the last.',
  -1,
  (args) => {
    if (args.length === 0) return throwArgumentError('Must receive at least one argument.')
    const found = args.slice(0, -1).find((value) => value !== undefined && value !== '')
    return found === undefined ? args.at(-1) : found
  },
)

/** `is_a`: the operator `=~` for a value and a type, as a function. */
export const isA = defineFunction('is_a', 'Returns true if a value is an instance of a type.', {
  'Any $value, Type $type': (value: Value, type: Type) => isInstance(type, value),
})

/** `type_of` and `stdlib::type_of`: return the detailed type of a value. */
export const typeFunctions = ['type_of', 'stdlib::type_of'].map((name) =>
  defineFunction(name, 'Returns the most specific type of a value.', {
    'Any $value': (value: Value) => inferDetailedType(value),
  }),
)

/** `sprintf_hash`: deprecated, because Puppet's `sprintf` also accepts a hash. */
export const sprintfHash = defineFunction('sprintf_hash', 'Formats a string with named references.', {
  'String $format, Hash $arguments': (format: string, args: Hash, context: CallContext) => {
    const words = 'This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead'
    reportDeprecation('sprintf_hash', words, context)
    return formatAsRuby(format, [args])
  },
})

/**
 * `fact`: in the path, a key that contains dots must be double-quoted. A step into a scalar gives undef and a warning.
 */
export const fact = defineFunction('fact', 'Returns a fact, or a nested value by its dotted path.', {
  'String $fact_name': (name: string, context: CallContext) => {
    const path = Array.from(name.matchAll(/([^."]+)|"([^"]+)"/g), (found) => found[1] ?? found[2]!)
    const walked: string[] = []
    let value = context.scope.get('facts')
    for (const key of path) {
      if (value === undefined) return undefined
      value = digKey(value, key, walked, name, context)
      walked.push(key)
    }
    return value
  },
})

function digKey(value: Value, key: string, walked: readonly string[], name: string, context: CallContext): Value {
  if (value instanceof Hash) return value.get(key)
  const index = parseStrictInteger(key)
  if (Array.isArray(value) && index !== undefined) return value.at(Number(index)) as Value
  const path = walked.map((each) => (each.includes('.') ? `"${each}"` : each)).join('.')
  const reason = Array.isArray(value)
    ? `is an array; cannot index to '${key}'`
    : `is not a collection; cannot walk to '${key}'`
  const message = `fact request for ${name} returning nil: '${path}' ${reason}`
  context.host.log('warning', message, context.scope, context.span)
  return undefined
}

/** `os_version_gte`: compares major versions from the legacy facts. */
export const osVersionGte = defineFunction(
  'os_version_gte',
  'Returns true if the node runs this operating system, in this version or later.',
  {
    'String[1] $os, String[1] $version >> Boolean': (os: string, version: string, { scope }: CallContext) => {
      const facts = getFacts(scope.get('facts'))
      return facts.get('operatingsystem') === os && isAtLeast(facts.get('operatingsystemmajrelease'), version)
    },
  },
)

/** `stdlib::os_version_gte`: compares major versions from the fact `os`. */
export const stdlibOsVersionGte = defineFunction(
  'stdlib::os_version_gte',
  'Returns true if the node runs this operating system, in this version or later.',
  {
    'String[1] $os, String[1] $version >> Boolean': (name: string, version: string, { scope }: CallContext) => {
      const os = getFacts(getFacts(scope.get('facts')).get('os'))
      return os.get('name') === name && isAtLeast(getFacts(os.get('release')).get('major'), version)
    },
  },
)

function getFacts(value: Value): Hash {
  return value instanceof Hash ? value : failNoMethod('[]', value)
}

function isAtLeast(version: Value, least: string): boolean {
  return compareVersions(formatAsString(version), least) >= 0
}

/** `stdlib::has_function`: true if the function exists; loads it. */
export const hasFunction = defineFunction('stdlib::has_function', 'Returns true if a function with this name exists.', {
  'String[1] $function_name >> Boolean': (name: string, { host, scope }: CallContext) =>
    host.findFunction(name, scope) !== undefined,
})

/** `stdlib::sort_by`: sorts by Ruby's `<=>`; equal elements keep their order. */
export const sortBy = defineFunction('stdlib::sort_by', 'Sorts elements by the result of the block.', {
  'Array $ary, Callable[1,1] &$block': (items: readonly Value[], block: FunctionBlock) => sortByRank(items, block),
  'String $str, Callable[1,1] &$block': (text: string, block: FunctionBlock) =>
    sortByRank([...iterate(text)], block).join(''),
  'Hash $hsh, Variant[Callable[1,1], Callable[2,2]] &$block': (hash: Hash, block: FunctionBlock) =>
    Hash.of(sortByRank([...hash], block) as unknown as [Value, Value][]),
})

function sortByRank(items: readonly Value[], by: (value: Value) => Value): Value[] {
  const ranked = items.map((item) => ({ item, rank: by(item) }))
  return ranked.sort((a, b) => -requireRubyOrder(b.rank, a.rank)).map(({ item }) => item)
}
