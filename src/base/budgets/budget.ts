/** Limit on external input. Input beyond the limit is rejected with a reason and has no effect. */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** The limited quantity. */
  readonly of: string
  /** The reason for this value. */
  readonly reason: string
  /** The consequence of exceeding the limit. */
  readonly beyond: string
  /** Name of the setting that overrides the limit; its default is the limit. Absent for a fixed limit. */
  readonly setting?: string
}

/** Creates a budget from its properties. */
export function createBudget(
  bound: number,
  unit: Budget['unit'],
  of: string,
  reason: string,
  beyond: string,
  setting?: string,
): Budget {
  return { bound, unit, of, reason, beyond, ...(setting !== undefined && { setting }) }
}

/** Bytes in a kibibyte. */
export const KiB = 1024
/** Bytes in a mebibyte. */
export const MiB = 1024 * KiB
/** Bytes in a gibibyte. */
export const GiB = 1024 * MiB
