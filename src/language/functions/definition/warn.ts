import { diagnose } from '../../../base/issue.ts'
import type { CallContext } from '../../host.ts'
import { functionIssues } from './issues.ts'

/** Tells the host that the way a function was used is deprecated; `once` is for what is said the first time only. */
export function warnOfUse(context: CallContext, message: string, { once = false } = {}): void {
  const diagnostic = diagnose(functionIssues.DEPRECATED_FUNCTION_USE, { message }, context.span, 'deprecation')
  context.host.warn({ ...diagnostic, ...(once && { once }) })
}
