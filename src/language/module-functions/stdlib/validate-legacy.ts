import { PuppetError } from '../../../base/issue.ts'
import {
  type DefinedFunction,
  defineFunction,
  type Implementation,
} from '../../functions/definition/define-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { parseType } from '../../types/from-code/type-parser.ts'
import { isInstance } from '../../types/is-instance.ts'
import { describeMismatch } from '../../types/mismatch/mismatch.ts'
import { toText } from '../../types/printing/text.ts'
import { Callable } from '../../values/callable.ts'
import type { CallableType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { reportDeprecation } from './deprecation.ts'
import { validators } from './validators.ts'

/**
 * A function whose signatures begin with an explicit scope, which the caller omits. Messages show the scope.
 * stdlib: functions/validate_legacy.rb
 */
class ScopedFunction extends Callable {
  readonly #function: DefinedFunction
  readonly span = undefined

  constructor(of: DefinedFunction) {
    super()
    this.#function = of
  }

  get name(): string {
    return this.#function.name
  }

  get signatures(): readonly CallableType[] {
    return this.#function.signatures
  }

  get parameterNames(): readonly (readonly string[])[] {
    return this.#function.parameterNames
  }

  call(context: CallContext, args: readonly Value[], block?: Callable): Value {
    return this.#function.call(context, [undefined, ...args], block)
  }
}

function defineScopedFunction(doc: string, implementation: Implementation): Callable {
  const written = defineFunction('validate_legacy', doc, {
    'Any $scope, Type $target_type, String $function_name, Any $value, Any *$args': implementation,
    'Any $scope, String $type_string, String $function_name, Any $value, Any *$args': implementation,
  })
  return new ScopedFunction(written)
}

/**
 * stdlib 8's `validate_legacy`: if only the type accepts a value, logs a notice; if only the function accepts it,
 * reports a deprecation.
 */
export const validateLegacy = defineScopedFunction(
  'Validates a value by a type and by a legacy function; the type decides.',
  validate,
)

/** stdlib 9's `validate_legacy`: checks the type only. */
export const validateLegacy9 = defineScopedFunction('Validates a value by a type.', validateByType)

function validate(
  _scope: Value,
  target: Type | string,
  name: string,
  value: Value,
  others: readonly Value[],
  context: CallContext,
): undefined {
  const type = readType(target, context)
  const isAccepted = (): boolean => isValid(name, [value, ...others], context)
  if (isInstance(type, value)) {
    const words = `Accepting previously invalid value for target type '${toText(type)}'`
    if (!isAccepted()) context.host.log('notice', words, context.scope, context.span)
    return undefined
  }
  const message = describeMismatch(`validate_legacy(${name})`, type, value)
  return isAccepted() ? reportDeprecation('validate_legacy', message, context) : throwArgumentError(message)
}

function validateByType(
  _scope: Value,
  target: Type | string,
  _name: string,
  value: Value,
  _others: readonly Value[],
  context: CallContext,
): undefined {
  const type = readType(target, context)
  const words = 'This method is deprecated, please use Puppet data types to validate parameters'
  reportDeprecation('validate_legacy', words, context)
  if (isInstance(type, value)) return undefined
  return throwArgumentError(describeMismatch(`validate_legacy(${toText(type)}, ...)`, type, value))
}

function readType(target: Type | string, context: CallContext): Type {
  return typeof target === 'string' ? parseType(target, () => failNoLoader(context)) : target
}

/**
 * Throws Puppet's error for a type string that needs a loader: Puppet passes a scope instead of a loader to its type
 * parser, so type strings can name built-in types only.
 */
function failNoLoader({ scope }: CallContext): never {
  return throwArgumentError(`private method \`load' called for ${scope}:Puppet::Parser::Scope`)
}

/** Returns true if a validation function accepts the arguments: our native function, otherwise the module's own. */
function isValid(name: string, args: readonly Value[], context: CallContext): boolean {
  const validator = validators[name]
  if (validator) return validator(args) === undefined
  const own = context.host.findFunction(name, context.scope)
  if (!own) return throwArgumentError(`undefined method \`function_${name}' for ${context.scope}:Puppet::Parser::Scope`)
  try {
    own.call(context, args)
    return true
  } catch (error) {
    if (error instanceof PuppetError) return false
    throw error
  }
}
