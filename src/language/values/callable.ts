import type { SourceSpan } from '../../base/source.ts'
import type { CallContext, WorkMeter } from '../host.ts'
import type { CallableType } from './type.ts'
import type { Value } from './value.ts'

/** A callable value: a lambda, a function in the Puppet language, or a built-in function. */
export abstract class Callable {
  /** The function's name, or `lambda`; for messages. */
  abstract readonly name: string
  /** Callable type of each signature. */
  abstract readonly signatures: readonly CallableType[]
  /** Parameter names of each signature, for messages. */
  abstract readonly parameterNames: readonly (readonly string[])[]
  /** Location of the definition in Puppet code, if any. */
  abstract readonly span: SourceSpan | undefined

  /** Checks the arguments and calls the function. Throws an error in Puppet's words if they do not match. */
  abstract call(context: CallContext, args: readonly Value[], block?: Callable): Value
}

/** Calls a function by its name in code; the call is measured if the host has a profile. */
export function callByName(callable: Callable, context: CallContext, args: readonly Value[], block?: Callable): Value {
  const { profile } = context.host
  return profile ? measureCall(profile, callable, context, args, block) : callable.call(context, args, block)
}

// A separate function, so that a call without a profile allocates no closure.
function measureCall(
  profile: WorkMeter,
  callable: Callable,
  context: CallContext,
  args: readonly Value[],
  block: Callable | undefined,
): Value {
  return profile.measure('function', callable.name, () => callable.call(context, args, block))
}
