/**
 * The bound of something that comes from outside. A budget says how much is taken, never how much is worth having: what
 * is beyond it is refused in words, and changes nothing.
 */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** The quantity that is bounded. */
  readonly of: string
  /** The reason for this bound, and no higher one. */
  readonly reason: string
  /** The answer, or the consequence, beyond the bound. */
  readonly beyond: string
  /** The setting that moves the bound and has the bound as its default; absent for a fixed bound. */
  readonly setting?: string
}

/** Budgets that bound the same party, by what is bounded. */
export type Budgets = Readonly<Record<string, Budget>>

/** Bytes of a kibibyte. */
export const KiB = 1024
/** Bytes of a mebibyte. */
export const MiB = 1024 * KiB
/** Bytes of a gibibyte. */
export const GiB = 1024 * MiB
