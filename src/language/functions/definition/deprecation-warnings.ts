import { createDiagnostic, type Diagnostic } from '../../../base/issue.ts'
import type { CallContext } from '../../host.ts'
import { functionIssues } from './issues.ts'

/**
 * Warns about a deprecated use of a function: every time, `once` per message, or once per message
 * and line.
 */
export function warnDeprecatedUse(
  context: CallContext,
  message: string,
  { once }: { readonly once?: Diagnostic['once'] } = {},
): void {
  const diagnostic = createDiagnostic(functionIssues.DEPRECATED_FUNCTION_USE, { message }, context.span, 'deprecation')
  context.host.warn({ ...diagnostic, ...(once && { once }) })
}
