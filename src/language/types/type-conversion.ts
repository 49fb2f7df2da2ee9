import { isType, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { createRuntimeType } from './constructors.ts'
import { generalizeType } from './generalize.ts'
import { inferType } from './infer.ts'

/** Converts a value to a type. A string is the name of a Ruby class. Puppet: `type_of`. */
export function toType(value: Value): Type {
  if (isType(value)) return value
  return typeof value === 'string' ? createRuntimeType('ruby', value) : generalizeType(inferType(value))
}
