/**
 * The bound of something that comes from outside. A budget says how much is taken, never how much is worth having: what
 * is beyond it is refused in words, and changes nothing.
 */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** What is bounded. */
  readonly of: string
  /** Why it is so much, and no more. */
  readonly reason: string
  /** What is answered or done beyond it. */
  readonly beyond: string
  /** The setting that moves it, whose default it then is; without one it is fixed. */
  readonly setting?: string
}

/** Budgets that bound the same party, by what is bounded. */
export type Budgets = Readonly<Record<string, Budget>>

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
