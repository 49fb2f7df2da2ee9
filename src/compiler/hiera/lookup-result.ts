import type { Value } from '../../language/values/value.ts'

/** The value that was found, which may be undef; `undefined` if no value was found. */
export type LookupResult = { readonly value: Value } | undefined
