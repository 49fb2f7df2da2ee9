import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { Value } from '../../values/value.ts'

/** Converts a value to a Boolean as in `str2bool`. Throws for a value that is neither true nor false. */
export function toBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return throwArgumentError('str2bool(): Requires string to work with')
  if (value === '' || /^(?=\n)/m.test(value)) return false
  if (/^(1|t|y|true|yes)$/im.test(value)) return true
  if (/^(0|f|n|false|no)$/im.test(value) || /^(undef|undefined)$/m.test(value)) return false
  return throwArgumentError('str2bool(): Unknown type of boolean given')
}
