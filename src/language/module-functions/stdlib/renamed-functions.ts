import { defineFunction, type FunctionBlock } from '../../functions/definition/define-function.ts'
import type { CallContext } from '../../host.ts'
import type { Callable } from '../../values/callable.ts'
import type { Value } from '../../values/value.ts'
import { reportDeprecation } from './deprecation.ts'

/**
 * Wraps a function that stdlib 9 moved to its own namespace. The wrapper reports the deprecation, then calls the new
 * function.
 */
export function defineMovedFunction(name: string, to: Callable): Callable {
  return defineFunction(name, `Deprecated alias of \`${to.name}\`.`, {
    'Any *$args, Callable &$block?': (
      args: readonly Value[],
      block: FunctionBlock | undefined,
      context: CallContext,
    ) => {
      reportDeprecation(name, `This function is deprecated, please use ${to.name} instead.`, context, false)
      return to.call(context, args, block?.callable)
    },
  })
}
