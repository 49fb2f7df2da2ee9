/** Compares two texts by UTF-16 code units, like `sort()` without a comparator. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
