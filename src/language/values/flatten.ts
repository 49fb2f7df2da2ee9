import { boundedCount } from '../ruby-semantics/sizes.ts'
import type { Value } from './value.ts'

/** Flattens nested arrays. */
export function flatten(values: readonly Value[]): Value[] {
  const flat: Value[] = []
  addAll(values, flat)
  return flat
}

function addAll(values: readonly Value[], flat: Value[]): void {
  for (const value of values)
    if (Array.isArray(value)) addAll(value, flat)
    else boundedCount(flat.push(value))
}
