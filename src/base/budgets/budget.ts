/** The bound of an input from outside. Input beyond the bound is rejected with a reason, and changes nothing. */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** The quantity that is bounded. */
  readonly of: string
  /** The reason for this bound, and no higher one. */
  readonly reason: string
  /** The answer, or the consequence, beyond the bound. */
  readonly beyond: string
  /** The setting that changes the bound and has the bound as its default; absent for a fixed bound. */
  readonly setting?: string
}

/** One row of the table: a bound, its unit and quantity, its reason, the consequence beyond it, and its setting. */
export function budget(
  bound: number,
  unit: Budget['unit'],
  of: string,
  reason: string,
  beyond: string,
  setting?: string,
): Budget {
  return { bound, unit, of, reason, beyond, ...(setting !== undefined && { setting }) }
}

/** Bytes of a kibibyte. */
export const KiB = 1024
/** Bytes of a mebibyte. */
export const MiB = 1024 * KiB
/** Bytes of a gibibyte. */
export const GiB = 1024 * MiB
