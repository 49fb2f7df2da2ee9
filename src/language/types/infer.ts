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
import { inferCommonType } from './common-type.ts'
import * as make from './constructors.ts'
import { generalizeType } from './generalize.ts'
import { getTypeParameters } from './objects/object-inheritance.ts'
import { toUriType } from './uri-parts.ts'

/** Infers the type of a value, with one common type for the elements of a collection. Puppet: `type($x, reduced)`. */
export function inferType(value: Value): Type {
  if (Array.isArray(value)) {
    if (value.length === 0) return make.EMPTY_ARRAY
    return make.createArrayType(inferElementType(value), make.createSizeBounds(value.length, value.length))
  }
  if (value instanceof Hash) {
    if (value.size === 0) return make.EMPTY_HASH
    return make.createHashType(
      inferElementType(value.keys()),
      inferElementType(value.values()),
      make.createSizeBounds(value.size, value.size),
    )
  }
  return inferSingle(value)
}

/** Infers the detailed type of a value, with Tuple and Struct. Puppet: `type($x, detailed)`. */
export function inferDetailedType(value: Value): Type {
  if (Array.isArray(value))
    return value.length === 0 ? make.EMPTY_ARRAY : make.createTupleType(value.map(inferDetailedType))
  if (value instanceof SemVer) return make.createSemVerType([SemVerRange.between(value, value)])
  if (!(value instanceof Hash)) return inferSingle(value)
  if (value.size === 0) return make.EMPTY_HASH
  const keys = value.keys()
  if (keys.every((key): key is string => typeof key === 'string' && key !== ''))
    return make.createStructType(
      keys.map((name) => ({ name, optional: false, value: inferDetailedType(value.get(name)) })),
    )
  const size = make.createSizeBounds(value.size, value.size)
  return make.createHashType(
    make.createVariantType(keys.map(inferDetailedType)),
    make.createVariantType(value.values().map(inferDetailedType)),
    size,
  )
}

function inferElementType(values: readonly Value[]): Type {
  return values.map(inferType).reduce(inferCommonType)
}

function inferSingle(value: Value): Type {
  switch (typeof value) {
    case 'undefined':
      return make.UNDEF
    case 'boolean':
      return make.createBooleanType(value)
    case 'string':
      return make.createLiteralStringType(value)
    case 'number':
    case 'bigint':
      return make.createIntegerType(value, value)
  }
  if (isType(value)) return make.createTypeType(value)
  if (value instanceof Float) return make.createFloatType(value.value, value.value)
  if (value instanceof Default) return make.DEFAULT_TYPE
  if (value instanceof Regexp) return make.createRegexpType(value)
  if (value instanceof Sensitive) return make.createSensitiveType(generalizeType(inferType(value.unwrap())))
  if (value instanceof Binary) return make.BINARY
  if (value instanceof Timestamp) return make.createTimestampType(value.nanoseconds, value.nanoseconds)
  if (value instanceof Timespan) return make.createTimespanType(value.nanoseconds, value.nanoseconds)
  if (value instanceof SemVer) return make.SEMVER
  if (value instanceof SemVerRange) return make.SEMVER_RANGE
  if (value instanceof ObjectValue) return inferObjectType(value)
  if (value instanceof IteratorValue) return make.createIteratorType(value.elementType)
  if (value instanceof RuntimeValue) return inferRuntimeType(value)
  if (value instanceof Callable) return make.createVariantType(value.signatures)
  return toUriType(value as Uri)
}

function inferRuntimeType({ isModule, className, text }: RuntimeValue): Type {
  return isModule
    ? make.createTypeType(make.createRuntimeType('ruby', text))
    : make.createRuntimeType('ruby', className)
}

/** Type of an object, with the values of its type parameters: `Error['kind']`. */
function inferObjectType({ type, attributes }: ObjectValue): Type {
  const definitions = getTypeParameters(type)
  if (definitions.size === 0) return type
  const parameters = Array.from(definitions.keys(), (name) => [name, attributes.get(name)] as const)
  return Object.freeze({ ...type, parameters: new Map(parameters) })
}
