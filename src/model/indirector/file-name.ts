import { fail } from '../../base/issue.ts'
import { issues } from './issues.ts'

const safe = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@ -]{0,199}$/u

/** The key, proven to be the name of one file and never a path. Puppet: `BadNameRegexp` of indirector/terminus.rb. */
export function fileName(indirection: string, key: string): string {
  if (!safe.test(key)) fail(issues.INVALID_KEY, { indirection, key })
  return key
}
