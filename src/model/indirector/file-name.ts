import { throwIssue } from '../../base/issue.ts'
import { indirectorIssues } from './issues.ts'

/** Matches only ASCII text; Node needs milliseconds to compile the pattern for Unicode. */
const safeAscii = /^\w[\w.:@ -]{0,199}$/
const safe = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@ -]{0,199}$/u

/**
 * Returns the key if it is a file name without path separators. Throws INVALID_KEY. Puppet: `BadNameRegexp` of
 * indirector/terminus.rb.
 */
export function checkFileName(indirection: string, key: string): string {
  if (!safeAscii.test(key) && !safe.test(key)) throwIssue(indirectorIssues.INVALID_KEY, { indirection, key })
  return key
}
