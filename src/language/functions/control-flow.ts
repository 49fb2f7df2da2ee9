import { BreakSignal, NextSignal, ReturnSignal } from '../evaluator/control-flow.ts'
import type { CallContext } from '../host.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { callByName } from '../values/callable.ts'
import type { ObjectValue } from '../values/object.ts'
import type { Sensitive } from '../values/sensitive.ts'
import type { Value } from '../values/value.ts'
import { findFunction, resolveDeferred } from './deferred.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'
import { defineLegacyFunction, formatLegacyValue } from './definition/legacy-function.ts'

/** `break`: throws a `BreakSignal`, which `runUntilBreak` catches; outside an iteration, it is an error. */
export const breakFunction = defineFunction('break', 'Ends the enclosing iteration.', {
  '': ({ span }: CallContext) => {
    throw new BreakSignal(span)
  },
})

/** `next`: throws a `NextSignal`, which the innermost lambda, function, class or defined type catches. */
export const next = defineFunction('next', 'Returns a value from the calling block or function.', {
  'Any $value?': (value: Value, { span }: CallContext) => {
    throw new NextSignal(value, span)
  },
})

/** `return`: throws a `ReturnSignal`, which lambdas pass on to the enclosing function, class or defined type. */
export const returnFunction = defineFunction(
  'return',
  'Leaves the calling function or class, with an optional value.',
  {
    'Any $value?': (value: Value, { span }: CallContext) => {
      throw new ReturnSignal(value, span)
    },
  },
)

/** `fail`: throws RUNTIME_ERROR at the call; the message is the arguments joined with spaces. */
export const fail = defineLegacyFunction('fail', 'Fails with the arguments as the message.', -1, (args) =>
  throwArgumentError(args.map(formatLegacyValue).join(' ')),
)

/** `lest`: runs the block only for undef; returns other values, including false, unchanged. */
export const lest = defineFunction('lest', 'Returns the value; if it is undef, the result of the block.', {
  'Any $arg, Callable[0,0] &$block': (value: Value, block: FunctionBlock) => (value === undefined ? block() : value),
})

/** `then`: runs the block for every value except undef, including false. */
export const thenFunction = defineFunction(
  'then',
  'Calls the block with the value; returns undef if the value is undef.',
  {
    'Any $arg, Callable[1,1] &$block': (value: Value, block: FunctionBlock) =>
      value === undefined ? undefined : block(value),
  },
)

/** `with`: runs a block in a private scope and returns its value. */
export const withFunction = defineFunction('with', 'Calls the block with the arguments.', {
  'Any *$arg, &$block': (args: readonly Value[], block: FunctionBlock) => block(...args),
})

/** `unwrap`: returns the block's value without making it Sensitive again. */
export const unwrap = defineFunction('unwrap', 'Returns the plain value of a Sensitive; other values unchanged.', {
  'Sensitive $arg, &$block?': (value: Sensitive, block?: FunctionBlock) => (block ?? returnValue)(value.unwrap()),
  'Any $arg, &$block?': (value: Value, block?: FunctionBlock) => (block ?? returnValue)(value),
})

/** `call`: calls any function that is visible to the code. Throws CALLED_UNKNOWN_FUNCTION. */
export const call = defineFunction('call', 'Calls a function by name, or resolves a Deferred.', {
  'String $function_name, Any *$arguments, &$block?': (
    name: string,
    args: readonly Value[],
    block: FunctionBlock | undefined,
    context: CallContext,
  ) => callByName(findFunction(name, context), context, args, block?.callable),
  'Deferred $deferred': (deferred: ObjectValue, context: CallContext) => resolveDeferred(deferred, context),
})

function returnValue(value: Value): Value {
  return value
}
