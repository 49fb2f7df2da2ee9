import type { Value } from '../../language/values/value.ts'

/** Resolves values that the node computes: Deferred values, and collections that contain them. */
export interface Deferrals {
  /** True for a value that is computed only when its resource is evaluated. */
  waits(value: Value): boolean
  /** Throws PuppetError. */
  resolve(value: Value): Promise<Value>
  /** Ends the Ruby thread for functions of modules, if it was started. */
  close?(): Promise<void>
}

/** Resolvers for a catalog without Deferred values. */
export const noDeferrals: Deferrals = { waits: () => false, resolve: async (value) => value }
