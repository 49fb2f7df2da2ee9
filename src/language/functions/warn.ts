import type { Diagnostic } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'

/** Tells the host that the way a function was used is deprecated. */
export function warnOfUse(context: CallContext, message: string): void {
  const diagnostic: Diagnostic = {
    code: 'DEPRECATED_FUNCTION_USE',
    severity: 'deprecation',
    message,
    span: context.span,
    hint: undefined,
  }
  context.host.warn(diagnostic)
}
