import { Hash } from './hash.ts'
import { ObjectValue } from './object.ts'
import { Sensitive } from './sensitive.ts'

/** Finds Sensitive values in a value: in arrays, hashes and the arguments of a Deferred. */
export function sensitiveIn(value: unknown): readonly Sensitive[] {
  if (value instanceof Sensitive) return [value]
  if (Array.isArray(value)) return value.flatMap(sensitiveIn)
  if (value instanceof Hash) return [...value].flatMap(sensitiveIn)
  return value instanceof ObjectValue ? [...value.attributes.values()].flatMap(sensitiveIn) : []
}

/** True for a Sensitive value and for a value that contains one. */
export function holdsSensitive(value: unknown): boolean {
  return sensitiveIn(value).length > 0
}
