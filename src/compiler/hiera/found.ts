import type { Value } from '../../language/values/value.ts'

/** Data that was found, which may be undef; `undefined` if there is no data. */
export type Found = { readonly value: Value } | undefined
