import type { CallContext } from '../host.ts'
import { newValue } from '../types/new-value.ts'
import type { ObjectType } from '../types/type.ts'
import type { Hash } from '../values/hash.ts'
import type { Value } from '../values/value.ts'
import { type Block, defineFunction } from './define-function.ts'

/** The annotations of a value, by the name of their type. They last as long as the value, and are no part of it. */
const annotated = new WeakMap<object, Map<string | undefined, Value>>()

/** A signature for several types at once is in Puppet, too, but fails there whenever it is called. */
export const annotate = defineFunction(
  'annotate',
  "The annotation of a value, of a type that inherits `Annotation`; made from the block's hash when there is none.",
  {
    'Type[Annotation] $type, Any $value, Callable[0, 0] &$block?': (
      type: ObjectType,
      value: Value,
      block: Block | undefined,
      context: CallContext,
    ) => {
      const known = annotationsOf(value)?.get(type.name)
      if (known !== undefined || !block) return known
      const init = block()
      return init === undefined ? undefined : attach(type, value, init, context)
    },
    'Type[Annotation] $type, Any $value, Variant[Enum[clear], Hash[String[1], Any]] $annotation_hash': (
      type: ObjectType,
      value: Value,
      init: 'clear' | Hash,
      context: CallContext,
    ) => {
      if (init !== 'clear') return attach(type, value, init, context)
      const cleared = annotationsOf(value)?.get(type.name)
      annotationsOf(value)?.delete(type.name)
      return cleared
    },
  },
)

/** Numbers, strings and the like are the same wherever they are: nothing can be attached to one of them. */
function annotationsOf(value: Value): Map<string | undefined, Value> | undefined {
  return typeof value === 'object' ? annotated.get(value) : undefined
}

function attach(type: ObjectType, value: Value, init: Value, context: CallContext): Value {
  const annotation = newValue(type, [init], context)
  if (typeof value === 'object') {
    const known = annotated.get(value) ?? new Map<string | undefined, Value>()
    annotated.set(value, known.set(type.name, annotation))
  }
  return annotation
}
