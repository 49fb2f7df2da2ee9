import { Hash } from './hash.ts'
import { ObjectValue } from './object.ts'
import { Sensitive } from './sensitive.ts'

/** Finds the Sensitive values inside a value: in arrays, hashes and the arguments of a Deferred. */
export function findSensitive(value: unknown): readonly Sensitive[] {
  if (value instanceof Sensitive) return [value]
  if (Array.isArray(value)) return value.flatMap(findSensitive)
  if (value instanceof Hash) return [...value].flatMap(findSensitive)
  return value instanceof ObjectValue ? [...value.attributes.values()].flatMap(findSensitive) : []
}

/** True for a Sensitive value and for a value that contains one. */
export function hasSensitive(value: unknown): boolean {
  return findSensitive(value).length > 0
}
