import type { Value } from '../../language/values/value.ts'

/** The value that was found, which may be undef; `undefined` if no value was found. */
export type Found = { readonly value: Value } | undefined
