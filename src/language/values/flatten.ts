import { requireBoundedCount } from '../ruby-semantics/size-limits.ts'
import type { Value } from './value.ts'

/** Flattens nested arrays. */
export function flattenArrays(values: readonly Value[]): Value[] {
  const flat: Value[] = []
  appendFlattened(values, flat)
  return flat
}

function appendFlattened(values: readonly Value[], flat: Value[]): void {
  for (const value of values)
    if (Array.isArray(value)) appendFlattened(value, flat)
    else requireBoundedCount(flat.push(value))
}
