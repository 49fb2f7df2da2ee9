import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { acceptsUndef } from '../types/is-assignable.ts'
import { getObjectParameters } from '../types/new/new-parameters.ts'
import { createInstance } from '../types/new/object.ts'
import { assertValueType } from '../types/objects/object-initializer.ts'
import { inspectValue } from '../types/printing/ruby-text.ts'
import { getRubyClassName } from '../types/ruby-class.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { isType, type ObjectType } from '../values/type.ts'
import { Default, type Value } from '../values/value.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'

/** Annotations of each value, by type name. They exist as long as the value and are not part of it. */
const annotated = new WeakMap<object, Map<string | undefined, Value>>()

/** Classes of values that are objects in JavaScript but frozen in Ruby. */
const frozen = [Float, Default, SemVer, SemVerRange]

/** `annotate`. Puppet: functions/annotate.rb, types/annotation.rb. */
export const annotate = defineFunction(
  'annotate',
  "Returns a value's annotation of a type that inherits `Annotation`; creates it from the block's hash if missing.",
  {
    'Type[Annotation] $type, Any $value, Callable[0, 0] &$block?': (
      type: ObjectType,
      value: Value,
      block: FunctionBlock | undefined,
    ) => {
      const known = getAnnotations(value)?.get(type.name)
      if (known !== undefined) return known
      const init = getDeclaredAnnotations(value).get(type) ?? block?.()
      return init === undefined ? undefined : attachAnnotations(type, value, init)
    },
    'Type[Annotation] $type, Any $value, Variant[Enum[clear], Hash[Pcore::MemberName, Any]] $annotation_hash': (
      type: ObjectType,
      value: Value,
      init: 'clear' | Hash,
    ) => {
      if (getDeclaredAnnotations(value).has(type)) rejectChange(type, value, init)
      if (init !== 'clear') return attachAnnotations(type, value, init)
      const cleared = getAnnotations(value)?.get(type.name)
      getAnnotations(value)?.delete(type.name)
      return cleared
    },
    'Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] $annotations': (
      _: ObjectType,
      value: Value,
      annotations: Hash,
    ) => {
      for (const [type, init] of annotations) attachAnnotations(type as ObjectType, value, init)
      return value
    },
  },
)

/** Annotations declared in the definition of a type. */
function getDeclaredAnnotations(value: Value): Hash {
  const isDefined = isType(value) && (value.kind === 'Object' || value.kind === 'TypeSet')
  return (isDefined ? (value.initHash?.get('annotations') as Hash | undefined) : undefined) ?? Hash.empty
}

function rejectChange(type: ObjectType, value: Value, init: 'clear' | Hash): never {
  const { kind, name } = value as ObjectType
  const label = kind === 'Object' ? (name ?? 'Object') : `TypeSet '${name}'`
  return throwArgumentError(
    `attempt to ${init === 'clear' ? 'clear' : 'redefine'} ${type.name} annotation declared on ${label}`,
  )
}

function getAnnotations(value: Value): Map<string | undefined, Value> | undefined {
  return typeof value === 'object' ? annotated.get(value) : undefined
}

function attachAnnotations(type: ObjectType, value: Value, init: Value): Value {
  const [byHash] = getObjectParameters(type, acceptsUndef)
  assertValueType(`${type.name} initializer`, byHash.tuple.types[0]!, init)
  const annotation = createInstance(type, init as Hash)
  if (typeof value !== 'object' || frozen.some((each) => value instanceof each))
    return throwArgumentError(`can't modify frozen ${getRubyClassName(value)}: ${inspectValue(value)}`)
  const known = annotated.get(value) ?? new Map<string | undefined, Value>()
  annotated.set(value, known.set(type.name, annotation))
  return annotation
}
