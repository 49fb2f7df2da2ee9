import { Hash } from './hash.ts'
import { ObjectValue } from './object.ts'
import { Sensitive } from './sensitive.ts'
import type { Value } from './value.ts'

/** True for a Deferred value. */
export function isDeferred(value: Value): value is ObjectValue {
  return value instanceof ObjectValue && value.type.name === 'Deferred'
}

/** True for a Deferred value and for a collection that contains one. */
export function hasDeferred(value: Value): boolean {
  if (Array.isArray(value)) return value.some((each) => hasDeferred(each as Value))
  if (value instanceof Sensitive) return hasDeferred(value.unwrap())
  if (value instanceof Hash) return [...value].some(([, each]) => hasDeferred(each))
  return isDeferred(value)
}
