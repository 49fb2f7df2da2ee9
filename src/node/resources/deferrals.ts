import type { Value } from '../../language/values/value.ts'

/** Values that the node computes: Deferred ones, and those that hold such. */
export interface Deferrals {
  /** True of a value that is computed only when its resource has its turn. */
  waits(value: Value): boolean
  resolve(value: Value): Value
}

/** Deferrals where nothing is deferred. */
export const noDeferrals: Deferrals = { waits: () => false, resolve: (value) => value }
