import { fail } from '../../base/issue.ts'
import { issues } from './issues.ts'

const safe = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@ -]{0,199}$/u

/**
 * Returns the key if it is a file name without path separators. Throws INVALID_KEY. Puppet: `BadNameRegexp` of
 * indirector/terminus.rb.
 */
export function fileName(indirection: string, key: string): string {
  if (!safe.test(key)) fail(issues.INVALID_KEY, { indirection, key })
  return key
}
