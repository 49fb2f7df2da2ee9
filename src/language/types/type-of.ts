import { isType, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { generalize } from './generalize.ts'
import { infer } from './infer.ts'
import { runtimeType } from './make.ts'

/** The type that a value stands for where a type is wanted; a string names a class of Ruby (Puppet: `type_of`). */
export function typeOf(value: Value): Type {
  if (isType(value)) return value
  return typeof value === 'string' ? runtimeType('ruby', value) : generalize(infer(value))
}
