import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { CallableType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { createCallableType, createSizeBounds, createTupleType, createTypeAliasType } from '../constructors.ts'
import { parseType } from '../from-code/type-parser.ts'
import { isInstance } from '../is-instance.ts'
import { describeCallMismatch } from '../mismatch/mismatch.ts'

/** One signature of a type's `new`. */
interface Dispatch {
  /** Parameters in the form `Type name`, or `Type name?` if optional. */
  readonly parameters: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the parameters' types are checked before
  readonly run: (args: any, context: CallContext) => Value
}

/** Signatures and implementation of a type's `new`. Puppet: `new_function`. */
export interface NewFunction {
  /** Puppet's internal name of the function, used in messages. */
  readonly name: string
  /** Local names of the types that the signatures use. */
  readonly types?: Readonly<Record<string, string>>
  readonly dispatches: readonly Dispatch[]
  /** Custom message for arguments that match no signature; `undefined` for the usual message. */
  readonly mismatch?: (args: readonly Value[]) => string | undefined
}

interface Compiled {
  readonly signatures: readonly CallableType[]
  readonly names: readonly (readonly string[])[]
}

const compiled = new WeakMap<NewFunction, Compiled>()

/** Calls the first signature that accepts the arguments. */
export function callNew(definition: NewFunction, args: readonly Value[], context: CallContext): Value {
  const { signatures, names } = compileDefinition(definition)
  const index = signatures.findIndex(({ parameters }) => isInstance(parameters!, args))
  const dispatch = definition.dispatches[index]
  if (dispatch) return dispatch.run(args, context)
  const said = definition.mismatch?.(args)
  if (said !== undefined) return throwArgumentError(`'${definition.name}' ${said}`)
  return throwArgumentError(describeCallMismatch(definition.name, signatures, names, args) ?? '')
}

function compileDefinition(definition: NewFunction): Compiled {
  const known = compiled.get(definition)
  if (known) return known
  const locals = new Map<string, Type>()
  const resolveLocal = (name: string) => locals.get(name)
  for (const [name, text] of Object.entries(definition.types ?? {}))
    locals.set(
      name,
      createTypeAliasType(name, () => parseType(text, resolveLocal)),
    )
  const parsed = definition.dispatches.map(({ parameters }) => {
    const split = parameters.map((parameter) => /^(.*) (\w+)(\??)$/s.exec(parameter)!)
    const required = split.filter(([, , , optional]) => !optional).length
    const types = split.map(([, type]) => parseType(type!, resolveLocal))
    const tuple = createTupleType(types, createSizeBounds(required, types.length))
    return { signature: createCallableType(tuple), names: split.map(([, , name]) => name!) }
  })
  const fresh = { signatures: parsed.map(({ signature }) => signature), names: parsed.map(({ names }) => names) }
  compiled.set(definition, fresh)
  return fresh
}
