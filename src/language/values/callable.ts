import type { SourceSpan } from '../../base/source.ts'
import type { CallContext } from '../host.ts'
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
