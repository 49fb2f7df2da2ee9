import { refuse } from '../../ruby-semantics/argument-error.ts'
import { rubyClass } from '../../types/ruby-class.ts'
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
  if (typeof value === 'number' && value >= 0) return range(0, value - 1)
  if (isType(value)) return valuesOfType(value)
  return notIterable(value)
}

function isType(value: Value): value is Type {
  return typeof value === 'object' && 'kind' in value
}

function valuesOfType(type: Type): Iterable<Value> {
  if (type.kind === 'TypeAlias') return valuesOfType(type.resolved)
  if (type.kind === 'Enum') return type.values
  if (type.kind === 'Integer' && type.from !== undefined && type.to !== undefined)
    return range(Number(type.from), Number(type.to))
  return notIterable(type)
}

function notIterable(value: Value): never {
  const message = `wrong argument type (${rubyClass(value)}; is not Iterable.`
  return refuse(message)
}

function range(from: number, to: number): Iterable<number> {
  return {
    *[Symbol.iterator]() {
      for (let value = from; value <= to; value++) yield value
    },
  }
}
