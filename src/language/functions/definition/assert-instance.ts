import { throwIssue } from '../../../base/issue.ts'
import { isInstance } from '../../types/is-instance.ts'
import { describeMismatch } from '../../types/mismatch/mismatch.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { functionIssues } from './issues.ts'

/** Throws if a value is not an instance of a type: `Found value has wrong type, expects …`. */
export function assertInstance(
  subject: string,
  type: Type,
  value: Value,
  refuse: (message: string) => never = rejectArgument,
): void {
  if (isInstance(type, value)) return
  refuse(describeMismatch(`${subject} has wrong type,`, type, value))
}

function rejectArgument(message: string): never {
  throwIssue(functionIssues.TYPE_ASSERTION, { message })
}
