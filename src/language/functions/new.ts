import type { CallContext } from '../host.ts'
import { createValue } from '../types/new/new-value.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { defineFunction, type FunctionBlock } from './definition/define-function.ts'

/** `new`: returns a value that already has the type unchanged, without calling the block, as in Puppet. */
export const newFunction = defineFunction('new', 'Creates a value of a type from the arguments.', {
  'Type $type, Any *$args, &$block?': (
    type: Type,
    args: readonly Value[],
    block: FunctionBlock | undefined,
    context: CallContext,
  ) => {
    const value = createValue(type, args, context)
    return block && value !== args[0] ? block(value) : value
  },
})

/** `convert_to`: calls the block also for a value that already has the type, unlike `new`. */
export const convertTo = defineFunction('convert_to', 'Converts a value to a type; like `new`, with the value first.', {
  'Any $value, Type $type, Any *$args, Callable[1,1] &$block?': (
    value: Value,
    type: Type,
    args: readonly Value[],
    block: FunctionBlock | undefined,
    context: CallContext,
  ) => {
    const result = createValue(type, [value, ...args], context)
    return block ? block(result) : result
  },
})
