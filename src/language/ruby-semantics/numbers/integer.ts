/** Converts an integer to a number if that is exact, otherwise to a bigint. */
export function normalizeInteger(value: number | bigint): number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : BigInt(value)
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}
