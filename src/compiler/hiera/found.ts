import type { Value } from '../../language/values/value.ts'

/** Data that was found, which may be undef; or `undefined`: there is none. */
export type Found = { readonly value: Value } | undefined
