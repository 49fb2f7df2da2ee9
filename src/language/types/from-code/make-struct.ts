import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { Hash } from '../../values/hash.ts'
import { isType, type StructElement, type Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { acceptsUndef } from '../is-assignable.ts'
import { printType } from '../printing/print.ts'
import { getRubyClassName } from '../ruby-class.ts'
import { toType } from '../type-conversion.ts'

/** Builds `Struct[{ name => Type, Optional[name] => Type, NotUndef[name] => Type }]` from its hash. */
export function makeStruct(hash: Hash): Type {
  return make.createStructType(
    Array.from(hash, ([key, value]) => {
      return makeElement(key, toType(value))
    }),
  )
}

function makeElement(key: Value, value: Type): StructElement {
  if (typeof key === 'string') {
    if (key === '') throwArgumentError('Struct element key cannot be an empty String')
    return { name: key, optional: acceptsUndef(value), value }
  }
  const type = isType(key) ? key : undefined
  const inner = type?.kind === 'Optional' || type?.kind === 'NotUndef' ? type.type : type
  const name =
    inner?.kind === 'String'
      ? inner.value
      : inner?.kind === 'Enum' && inner.values.length === 1
        ? inner.values[0]
        : undefined
  if (name !== undefined && name !== '') return { name, optional: type?.kind === 'Optional', value }
  if (inner?.kind === 'String' || inner?.kind === 'Enum' || type?.kind === 'Optional' || type?.kind === 'NotUndef') {
    const message = `Unable to extract a non-empty literal string from Struct member key type ${printType(type!)}`
    return throwArgumentError(message)
  }
  const message = `Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: ${getRubyClassName(key)}`
  return throwArgumentError(message)
}
