import type { CallContext } from '../../language/host.ts'
import { ANY, createCallableType, createSizeBounds, createTupleType } from '../../language/types/constructors.ts'
import { Callable } from '../../language/values/callable.ts'
import type { CallableType } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { RubySession } from './session.ts'

/** A Ruby block that functions of the language can call. */
export class RubyBlock extends Callable {
  readonly name = 'lambda'
  readonly span = undefined
  readonly #session: RubySession
  readonly #id: number
  readonly #arity: number

  constructor(session: RubySession, id: number, arity: number) {
    super()
    this.#session = session
    this.#id = id
    this.#arity = arity
  }

  get #least(): number {
    return this.#arity < 0 ? -this.#arity - 1 : this.#arity
  }

  get signatures(): readonly CallableType[] {
    return [
      createCallableType(
        createTupleType([ANY], createSizeBounds(this.#least, this.#arity < 0 ? undefined : this.#arity)),
      ),
    ]
  }

  get parameterNames(): readonly (readonly string[])[] {
    return [Array.from({ length: Math.max(1, this.#least) }, (_, index) => `p${index + 1}`)]
  }

  call(context: CallContext, args: readonly Value[]): Value {
    return this.#session.run('call_block', [this.#id, args], context)
  }
}
