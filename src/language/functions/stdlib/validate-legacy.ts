import type { CallContext } from '../../host.ts'
import { isInstance } from '../../types/is-instance.ts'
import { describeMismatch } from '../../types/mismatch.ts'
import { parseType } from '../../types/parse.ts'
import type { Type } from '../../types/type.ts'
import { refuse } from '../../values/argument-error.ts'
import { toText } from '../../values/print.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction } from '../define-function.ts'
import { deprecate } from './deprecation.ts'
import { noValidator, validators } from './validators.ts'

export const validateLegacy = defineFunction(
  'validate_legacy',
  'Validates a value by a type and by a function of Puppet 3’s kind; the type has the last word.',
  {
    'Type $target_type, String $function_name, Any $value, Any *$args': validate,
    'String $type_string, String $function_name, Any $value, Any *$args': validate,
  },
)

function validate(
  target: Value,
  name: string,
  value: Value,
  others: readonly Value[],
  context: CallContext,
): undefined {
  const args = [value, ...others]
  const type =
    typeof target === 'string'
      ? parseType(target, (each) => context.host.findType(each, context.scope))
      : (target as Type)
  const passed = (): boolean => (validators[name] ?? noValidator(name))(args) === undefined
  if (isInstance(type, value)) {
    const words = `Accepting previously invalid value for target type '${toText(type)}'`
    if (!passed()) context.host.log('notice', words, context.scope, context.span)
    return undefined
  }
  const message = describeMismatch(`validate_legacy(${name})`, type, value)
  return passed() ? deprecate('validate_legacy', message, context) : refuse(message)
}
