import { Binary } from '../values/binary.ts'
import { Callable } from '../values/callable.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { IteratorValue } from '../values/iterator.ts'
import { ObjectValue } from '../values/object.ts'
import { Regexp } from '../values/regexp.ts'
import { RuntimeValue } from '../values/runtime-value.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import { isType, type Type } from '../values/type.ts'
import type { Uri } from '../values/uri.ts'
import { Default, type Value } from '../values/value.ts'
import { commonType } from './common-type.ts'
import { generalize } from './generalize.ts'
import * as make from './make.ts'
import { getTypeParameters } from './objects/object-lineage.ts'
import { toUriType } from './uri-parts.ts'

/** Infers the type of a value, with one common type for the elements of a collection. Puppet: `type($x, reduced)`. */
export function infer(value: Value): Type {
  if (Array.isArray(value)) {
    if (value.length === 0) return make.EMPTY_ARRAY
    return make.arrayType(reduce(value), make.sizeBounds(value.length, value.length))
  }
  if (value instanceof Hash) {
    if (value.size === 0) return make.EMPTY_HASH
    return make.hashType(reduce(value.keys()), reduce(value.values()), make.sizeBounds(value.size, value.size))
  }
  return inferSingle(value)
}

/** Infers the detailed type of a value, with Tuple and Struct. Puppet: `type($x, detailed)`. */
export function inferSet(value: Value): Type {
  if (Array.isArray(value)) return value.length === 0 ? make.EMPTY_ARRAY : make.tupleType(value.map(inferSet))
  if (value instanceof SemVer) return make.semVerType([SemVerRange.between(value, value)])
  if (!(value instanceof Hash)) return inferSingle(value)
  if (value.size === 0) return make.EMPTY_HASH
  const keys = value.keys()
  if (keys.every((key): key is string => typeof key === 'string' && key !== ''))
    return make.structType(keys.map((name) => ({ name, optional: false, value: inferSet(value.get(name)) })))
  const size = make.sizeBounds(value.size, value.size)
  return make.hashType(make.variantType(keys.map(inferSet)), make.variantType(value.values().map(inferSet)), size)
}

function reduce(values: readonly Value[]): Type {
  return values.map(infer).reduce(commonType)
}

function inferSingle(value: Value): Type {
  switch (typeof value) {
    case 'undefined':
      return make.UNDEF
    case 'boolean':
      return make.booleanType(value)
    case 'string':
      return make.literalStringType(value)
    case 'number':
    case 'bigint':
      return make.integerType(value, value)
  }
  if (isType(value)) return make.typeType(value)
  if (value instanceof Float) return make.floatType(value.value, value.value)
  if (value instanceof Default) return make.DEFAULT_TYPE
  if (value instanceof Regexp) return make.regexpType(value)
  if (value instanceof Sensitive) return make.sensitiveType(generalize(infer(value.unwrap())))
  if (value instanceof Binary) return make.BINARY
  if (value instanceof Timestamp) return make.timestampType(value.nanoseconds, value.nanoseconds)
  if (value instanceof Timespan) return make.timespanType(value.nanoseconds, value.nanoseconds)
  if (value instanceof SemVer) return make.SEMVER
  if (value instanceof SemVerRange) return make.SEMVER_RANGE
  if (value instanceof ObjectValue) return typeOfObject(value)
  if (value instanceof IteratorValue) return make.iteratorType(value.elementType)
  if (value instanceof RuntimeValue) return typeOfRuntimeValue(value)
  if (value instanceof Callable) return make.variantType(value.signatures)
  return toUriType(value as Uri)
}

function typeOfRuntimeValue({ isModule, className, text }: RuntimeValue): Type {
  return isModule ? make.typeType(make.runtimeType('ruby', text)) : make.runtimeType('ruby', className)
}

/** Type of an object, with the values of its type parameters: `Error['kind']`. */
function typeOfObject({ type, attributes }: ObjectValue): Type {
  const definitions = getTypeParameters(type)
  if (definitions.size === 0) return type
  const parameters = Array.from(definitions.keys(), (name) => [name, attributes.get(name)] as const)
  return Object.freeze({ ...type, parameters: new Map(parameters) })
}
