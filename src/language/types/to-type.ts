import { isType, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { generalize } from './generalize.ts'
import { infer } from './infer.ts'
import { runtimeType } from './make.ts'

/** Converts a value to a type. A string is the name of a Ruby class. Puppet: `type_of`. */
export function toType(value: Value): Type {
  if (isType(value)) return value
  return typeof value === 'string' ? runtimeType('ruby', value) : generalize(infer(value))
}
