import type { Binary } from './binary.ts'
import type { Callable } from './callable.ts'
import type { Float } from './float.ts'
import type { Hash } from './hash.ts'
import type { IteratorValue } from './iterator.ts'
import type { ObjectValue } from './object.ts'
import type { Regexp } from './regexp.ts'
import type { RuntimeValue } from './runtime-value.ts'
import type { SemVer, SemVerRange } from './semver.ts'
import type { Sensitive } from './sensitive.ts'
import type { Timespan, Timestamp } from './time.ts'
import type { Type } from './type.ts'
import type { Uri } from './uri.ts'

/**
 * A value of the Puppet language. `undef` is `undefined`. An Integer is a `number` if it is a safe integer, otherwise a
 * `bigint`, so that `===` compares Integers. A Float is always a `Float`, so that `1.0` stays a Float. Types, resource
 * references (`File['/x']`) and class references are `Type` values, as in Puppet.
 */
export type Value =
  | undefined
  | boolean
  | string
  | number
  | bigint
  | Float
  | Default
  | Regexp
  | readonly Value[]
  | Hash
  | Type
  | Sensitive
  | Binary
  | Timestamp
  | Timespan
  | SemVer
  | SemVerRange
  | Uri
  | ObjectValue
  | IteratorValue
  | Callable
  | RuntimeValue

/** The value of the keyword `default`. */
export class Default {
  toString(): string {
    return 'default'
  }
}

/** The only instance of `Default`. */
export const DEFAULT: Default = Object.freeze(new Default())

/** True for all values except `undef` and `false`. */
export function isTruthy(value: Value): boolean {
  return value !== undefined && value !== false
}
