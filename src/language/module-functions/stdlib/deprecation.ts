import { getStartLine } from '../../../base/source.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { warnDeprecatedUse } from '../../functions/definition/deprecation-warnings.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { inspectValue } from '../../types/printing/ruby-text.ts'

/** stdlib 8's `deprecation`: does nothing, warns or throws RUNTIME_ERROR, according to the setting `strict`. */
export const deprecation = defineFunction('deprecation', 'Logs a deprecation warning; fails in strict mode.', {
  'String $key, String $message': (key: string, message: string, context: CallContext) =>
    reportDeprecation(key, message, context),
})

/** stdlib 9's `deprecation`: if the third argument is false, warns regardless of the setting `strict`. */
export const deprecation9 = defineFunction('deprecation', 'Logs a deprecation warning; fails in strict mode.', {
  'String $key, String $message, Boolean $use_strict_setting?': (
    key: string,
    message: string,
    useStrict: boolean | undefined,
    context: CallContext,
  ) => reportDeprecation(key, message, context, useStrict),
})

/** Reports a deprecation according to the setting `strict`. */
export function reportDeprecation(key: string, message: string, context: CallContext, useStrict = true): undefined {
  const { strict } = context.host
  if (useStrict && strict === 'off') return undefined
  const placed = `${message} at ${formatFrame(context)}`
  if (useStrict && strict === 'error') return throwArgumentError(`deprecation. ${key}. ${placed}`)
  warnDeprecatedUse(context, placed)
  return undefined
}

/**
 * Formats the innermost frame of Puppet's stack like stdlib, which prints a Ruby array; outer frames are not available.
 */
function formatFrame({ span }: CallContext): string {
  const file = span?.source.file
  return `${inspectValue([file ?? 'unknown', span ? getStartLine(span) : 0])}:`
}
