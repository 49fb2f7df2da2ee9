import { BreakSignal, NextSignal, ReturnSignal } from '../evaluator/control-flow.ts'
import type { CallContext } from '../host.ts'
import { refuse } from '../ruby-semantics/argument-error.ts'
import type { ObjectValue } from '../values/object.ts'
import type { Sensitive } from '../values/sensitive.ts'
import type { Value } from '../values/value.ts'
import { findFunction, resolveDeferred } from './deferred.ts'
import { type Block, defineFunction } from './definition/define-function.ts'
import { defineLegacyFunction, legacyText } from './definition/legacy-function.ts'

/** `break`: throws a `BreakSignal`, caught by `untilBreak`. An error outside an iteration. */
export const breakFunction = defineFunction('break', 'Ends the enclosing iteration.', {
  '': ({ span }: CallContext) => {
    throw new BreakSignal(span)
  },
})

/** `next`: throws a `NextSignal`, caught by the innermost lambda, function, class or defined type. */
export const next = defineFunction('next', 'Returns a value from the calling block or function.', {
  'Any $value?': (value: Value, { span }: CallContext) => {
    throw new NextSignal(value, span)
  },
})

/** `return`: throws a `ReturnSignal`, which passes through lambdas to a function, class or defined type. */
export const returnFunction = defineFunction(
  'return',
  'Leaves the calling function or class, with an optional value.',
  {
    'Any $value?': (value: Value, { span }: CallContext) => {
      throw new ReturnSignal(value, span)
    },
  },
)

/** `fail`: throws RUNTIME_ERROR at the call; arguments are joined with spaces. */
export const fail = defineLegacyFunction('fail', 'Fails with the arguments as the message.', -1, (args) =>
  refuse(args.map(legacyText).join(' ')),
)

/** `lest`: runs the block only for undef; false is a value. */
export const lest = defineFunction('lest', 'Returns the value; if it is undef, the result of the block.', {
  'Any $arg, Callable[0,0] &$block': (value: Value, block: Block) => (value === undefined ? block() : value),
})

/** `then`: skips the block only for undef; false is a value. */
export const thenFunction = defineFunction(
  'then',
  'Calls the block with the value; returns undef if the value is undef.',
  {
    'Any $arg, Callable[1,1] &$block': (value: Value, block: Block) => (value === undefined ? undefined : block(value)),
  },
)

/** `with`: gives a block a private scope; returns the block's value. */
export const withFunction = defineFunction('with', 'Calls the block with the arguments.', {
  'Any *$arg, &$block': (args: readonly Value[], block: Block) => block(...args),
})

/** `unwrap`: the block's value is not made Sensitive again. */
export const unwrap = defineFunction('unwrap', 'Returns the plain value of a Sensitive; other values unchanged.', {
  'Sensitive $arg, &$block?': (value: Sensitive, block?: Block) => (block ?? same)(value.unwrap()),
  'Any $arg, &$block?': (value: Value, block?: Block) => (block ?? same)(value),
})

/** `call`: finds any function visible to the code. Throws CALLED_UNKNOWN_FUNCTION. */
export const call = defineFunction('call', 'Calls a function by name, or resolves a Deferred.', {
  'String $function_name, Any *$arguments, &$block?': (
    name: string,
    args: readonly Value[],
    block: Block | undefined,
    context: CallContext,
  ) => findFunction(name, context).call(context, args, block?.callable),
  'Deferred $deferred': (deferred: ObjectValue, context: CallContext) => resolveDeferred(deferred, context),
})

function same(value: Value): Value {
  return value
}
