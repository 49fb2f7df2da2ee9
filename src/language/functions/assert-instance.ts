import { fail, type Issue } from '../../base/issue.ts'
import { isInstance } from '../types/is-instance.ts'
import { describeMismatch } from '../types/mismatch.ts'
import type { Type } from '../types/type.ts'
import type { Value } from '../values/value.ts'
import { functionIssues } from './issues.ts'

/** Throws the issue when a value is not of a type: `Found value has wrong type, expects …`. */
export function assertInstance(
  subject: string,
  type: Type,
  value: Value,
  issue: Issue<{ message: string }> = functionIssues.TYPE_MISMATCH,
): void {
  if (isInstance(type, value)) return
  fail(issue, { message: describeMismatch(`${subject} has wrong type,`, type, value) })
}
