import type { Bounds } from '../values/type.ts'

/** Returns the narrowest bounds that include both bounds. */
export function uniteBounds<Bound extends number | bigint>(a: Bounds<Bound>, b: Bounds<Bound>): Bounds<Bound> {
  return { from: pickExtreme(a.from, b.from, -1), to: pickExtreme(a.to, b.to, 1) }
}

function pickExtreme<Bound extends number | bigint>(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1) {
  if (a === undefined || b === undefined) return undefined
  return a > b === sign > 0 ? a : b
}
