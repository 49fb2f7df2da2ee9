import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { findMatch } from '../ruby-semantics/regexp/match.ts'
import { isInstance } from '../types/is-instance.ts'
import { Binary } from '../values/binary.ts'
import { isEqualValue } from '../values/equality.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { isType } from '../values/type.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import type { EvaluationContext } from './context.ts'

/**
 * True if a value matches an option of `case` or a selector; a regular expression sets `$0`, `$1`
 * and so on.
 */
export function matchOption(value: Value, option: Value, context: EvaluationContext): boolean {
  if (option instanceof Regexp) return typeof value === 'string' && matchText(value, option, context)
  if (isType(option)) return isInstance(option, value)
  if (Array.isArray(option)) {
    if (!Array.isArray(value) || value.length !== option.length) return false
    return option.every((each, index) => matchOption(value[index], each, context))
  }
  if (option instanceof Hash)
    return value instanceof Hash && [...option].every(([key, each]) => matchOption(value.get(key), each, context))
  if (option instanceof SemVerRange) return isInRange(value, option)
  if (option instanceof SemVer && typeof value === 'string') {
    const version = SemVer.parse(value)
    return version !== undefined && isEqualValue(version, option)
  }
  return option === DEFAULT || isEqualValue(value, option)
}

/** Rule of `sought in container`. */
export function evaluateIn(container: Value, sought: Value, context: EvaluationContext): boolean {
  if (typeof container === 'string') return hasText(container, sought, context)
  if (Array.isArray(container)) return hasElement(container, sought, context)
  if (container instanceof Hash) return hasElement(container.keys(), sought, context)
  if (container instanceof SemVerRange) return isInRange(sought, container)
  if (container instanceof Binary) return hasBytes(container, sought)
  return false
}

/** True if a version, or a string that contains a version, is in the range. */
export function isInRange(value: Value, range: SemVerRange): boolean {
  const version = typeof value === 'string' ? SemVer.parse(value) : value
  return version instanceof SemVer && range.includes(version)
}

/** Matches a regular expression and stores the captures in the scope. */
export function matchText(text: string, regexp: Regexp, { scope }: EvaluationContext): boolean {
  const match = findMatch(regexp, text)
  if (match) scope.matches = match
  return match !== undefined
}

function hasText(container: string, sought: Value, context: EvaluationContext): boolean {
  if (typeof sought === 'string') return container.toLowerCase().includes(sought.toLowerCase())
  return sought instanceof Regexp && matchText(container, sought, context)
}

function hasElement(container: readonly Value[], sought: Value, context: EvaluationContext): boolean {
  if (sought instanceof Regexp)
    return container.some((each) => typeof each === 'string' && matchText(each, sought, context))
  if (typeof sought === 'string' || sought instanceof SemVer)
    return container.some((each) => matchOption(sought, each, context))
  if (isType(sought)) return container.some((each) => isInstance(sought, each))
  return container.some((each) => isEqualValue(each, sought))
}

function hasBytes(container: Binary, sought: Value): boolean {
  const bytes = Buffer.from(container.bytes)
  if (sought instanceof Binary) return bytes.includes(Buffer.from(sought.bytes))
  if (typeof sought === 'string') return bytes.includes(encodeLosslessUtf8(sought))
  const number = sought instanceof Float ? sought.value : sought
  return typeof number === 'number' && bytes.includes(number)
}
