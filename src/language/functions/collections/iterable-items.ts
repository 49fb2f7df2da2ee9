import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'

/**
 * Items of an Iterable: elements, `[key, value]` pairs, characters, the numbers below an Integer,
 * or the values of a type.
 */
export function iterate(value: Value): Iterable<Value> {
  if (Array.isArray(value)) return value
  if (value instanceof Hash) return value
  if (value instanceof IteratorValue) return value
  if (typeof value === 'string') return value
  if (typeof value === 'number' && value >= 0) return generateRange(0, value - 1)
  if (isType(value)) return listTypeValues(value)
  return failNotIterable(value)
}

function isType(value: Value): value is Type {
  return typeof value === 'object' && 'kind' in value
}

function listTypeValues(type: Type): Iterable<Value> {
  if (type.kind === 'TypeAlias') return listTypeValues(type.resolved)
  if (type.kind === 'Enum') return type.values
  if (type.kind === 'Integer' && type.from !== undefined && type.to !== undefined)
    return generateRange(Number(type.from), Number(type.to))
  return failNotIterable(type)
}

function failNotIterable(value: Value): never {
  const message = `wrong argument type (${getRubyClassName(value)}; is not Iterable.`
  return throwArgumentError(message)
}

function generateRange(from: number, to: number): Iterable<number> {
  return {
    *[Symbol.iterator]() {
      for (let value = from; value <= to; value++) yield value
    },
  }
}
