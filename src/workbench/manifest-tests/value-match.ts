import { isMatch } from '../../language/ruby-semantics/regexp/match.ts'
import { isInstance } from '../../language/types/is-instance.ts'
import { isEqualValue } from '../../language/values/equality.ts'
import { Hash } from '../../language/values/hash.ts'
import { Regexp } from '../../language/values/regexp.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import { isType } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import { formatReferenceValue } from '../../node/resources/reference.ts'

/**
 * True if a value of a resource equals an expected value, matches an expected pattern, or is an instance of an expected
 * type. Unlike `==`, the comparison of strings is case-sensitive. A sensitive value is compared by its content, and an
 * array with one element equals the element, as in a catalog.
 */
export function matchesExpected(actual: Value, expected: Value): boolean {
  const value = actual instanceof Sensitive ? actual.unwrap() : actual
  const wanted = expected instanceof Sensitive ? expected.unwrap() : expected
  if (wanted instanceof Regexp) return typeof value === 'string' && isMatch(wanted, value)
  if (isType(wanted)) return isReference(wanted) ? isSameReference(value, wanted) : isInstance(wanted, value)
  if (typeof wanted === 'string') return value === wanted || (isLone(value) && value[0] === wanted)
  if (Array.isArray(wanted)) return matchesArray(value, wanted)
  if (wanted instanceof Hash)
    return (
      value instanceof Hash &&
      value.size === wanted.size &&
      [...wanted].every(([key, each]) => value.has(key) && matchesExpected(value.get(key), each))
    )
  return isEqualValue(value, wanted)
}

function matchesArray(value: Value, wanted: readonly Value[]): boolean {
  const values = Array.isArray(value) ? value : [value]
  return values.length === wanted.length && wanted.every((each, at) => matchesExpected(values[at], each))
}

function isLone(value: Value): value is readonly [Value] {
  return Array.isArray(value) && value.length === 1
}

function isReference(type: Value): boolean {
  return formatReferenceValue(type) !== undefined
}

function isSameReference(value: Value, wanted: Value): boolean {
  const only = isLone(value) ? value[0] : value
  return isType(only) && formatReferenceValue(only) === formatReferenceValue(wanted)
}
