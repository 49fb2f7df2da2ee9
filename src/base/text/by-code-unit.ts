/** The order of two texts by their UTF-16 code units, as that of `sort()` without a comparison. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
