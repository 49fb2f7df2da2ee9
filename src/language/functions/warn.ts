import type { Diagnostic } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'

/** Tells the host that the way a function was used is deprecated; `once` is for what is said the first time only. */
export function warnOfUse(context: CallContext, message: string, { once = false } = {}): void {
  const diagnostic: Diagnostic = {
    code: 'DEPRECATED_FUNCTION_USE',
    severity: 'deprecation',
    message,
    span: context.span,
    hint: undefined,
    ...(once && { once }),
  }
  context.host.warn(diagnostic)
}
