import type { Span } from '../../base/source.ts'
import type { CallContext } from '../host.ts'
import type { CallableType } from './type.ts'
import type { Value } from './value.ts'

/** Anything that can be called: a lambda, a Puppet-language function, a built-in one. */
export abstract class Callable {
  /** For messages: the function's name, or `lambda`. */
  abstract readonly name: string
  /** The types of the accepted arguments; several for a function with several signatures. */
  abstract readonly signatures: readonly CallableType[]
  /** Names of the parameters of each signature, for messages. */
  abstract readonly parameterNames: readonly (readonly string[])[]
  /** The place of the definition in Puppet code, if any. */
  abstract readonly span: Span | undefined

  /** Checks the arguments and runs; a mismatch is said in Puppet's words. */
  abstract call(context: CallContext, args: readonly Value[], block?: Callable): Value
}
