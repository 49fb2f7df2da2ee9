import type { Value } from './value.ts'

/** One array of all that is in nested arrays. */
export function flatten(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? flatten(value) : [value]))
}
