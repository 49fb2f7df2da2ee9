import { throwIssue } from '../../base/issue.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import { canAcceptCall, toCallableType } from '../../language/functions/definition/define-function.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { createLegacySignature } from '../../language/functions/definition/legacy-function.ts'
import type { SignatureParameter } from '../../language/functions/definition/signature.ts'
import type { CallContext } from '../../language/host.ts'
import { createTypeAliasType } from '../../language/types/constructors.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { describeCallMismatch } from '../../language/types/mismatch/mismatch.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import { ObjectValue } from '../../language/values/object.ts'
import type { CallableType, Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { RubySession } from './session.ts'
import { TracedCallable } from './traced/traced-callable.ts'
import type { TracedCode } from './traced/traced-code.ts'

/** A signature of a function. A call that matches a signature with `mismatch` is an error. */
interface Dispatch {
  readonly type: CallableType
  readonly names: readonly string[]
  readonly method: string
  readonly mismatch: boolean
}

/** A module function defined with `Puppet::Functions.create_function` in the file `path`. */
export class RubyFunction extends TracedCallable {
  readonly name: string
  readonly span = undefined
  readonly #session: RubySession
  readonly #path: string
  #known: readonly Dispatch[] | undefined
  #traced: TracedCode | undefined
  /** True for a function that defines `call`, which runs before a signature is chosen. */
  #callsItself = false

  constructor(session: RubySession, name: string, path: string) {
    super()
    this.name = name
    this.#session = session
    this.#path = path
  }

  get signatures(): readonly CallableType[] {
    return this.#real().map(({ type }) => type)
  }

  get parameterNames(): readonly (readonly string[])[] {
    return this.#real().map(({ names }) => names)
  }

  call(context: CallContext, args: readonly Value[], block?: Callable): Value {
    const found = this.find(context, args, block)
    if (found) return found.value
    const asked = args.find((each) => each instanceof ObjectValue && each.method('not_found')) as ObjectValue
    return asked.method('not_found')!.call(context, [asked])
  }

  /** Returns the result of a call; `undefined` if a data function called `not_found`. */
  find(context: CallContext, args: readonly Value[], block?: Callable): { readonly value: Value } | undefined {
    const dispatches = this.#dispatches(context)
    const scope = this.#session.getScopeNumber(context.scope)
    if (this.#callsItself) return findFirstValue(this.#run('call_itself', [], [scope, args, block], context))
    const index = this.choose(context, args, block)
    const result = findFirstValue(this.#run('call_function', [index], [scope, args, block], context))
    if (!result) return undefined
    const { mismatch, method, type } = dispatches[index]!
    if (mismatch) return this.#refuse(`'${this.name}' ${String(result.value)}`)
    if (type.returns) assertInstance(`value returned from function '${method}'`, type.returns, result.value)
    return result
  }

  #run(
    operation: string,
    chosen: readonly Value[],
    [scope, args, block]: readonly [number, readonly Value[], Callable | undefined],
    context: CallContext,
  ): readonly Value[] {
    const session = this.#session
    return session.called({
      label: this.name,
      code: this.#code(),
      args: [...chosen, ...args, ...(block ? [block] : [])],
      context,
      make: () =>
        session.runForJson(operation, [this.name, this.#path, ...chosen, scope, args, block], context, this.#path),
    }) as readonly Value[]
  }

  #code(): TracedCode {
    this.#traced ??= this.#session.calls.base.code(`function ${this.#path}`, [this.#path])
    return this.#traced
  }

  /** Returns the index of the first signature that matches the call. Throws ARGUMENT_MISMATCH. */
  choose(context: CallContext, args: readonly Value[], block?: Callable): number {
    const index = this.#dispatches(context).findIndex(({ type }) => canAcceptCall(type, args, block))
    if (index !== -1) return index
    return this.#refuse(describeCallMismatch(this.name, this.signatures, this.parameterNames, args, block))
  }

  #refuse(message = this.name): never {
    return throwIssue(functionIssues.ARGUMENT_MISMATCH, { message })
  }

  #real(): readonly Dispatch[] {
    return this.#dispatches(this.#session.context).filter(({ mismatch }) => !mismatch)
  }

  #dispatches(context: CallContext): readonly Dispatch[] {
    this.#known ??= this.#load(context)
    return this.#known
  }

  #load(context: CallContext): readonly Dispatch[] {
    const { name } = this
    const shape = this.#session.load('load_function', [name, this.#path], context, this.#path)
    if (!(shape instanceof Hash)) return throwIssue(functionIssues.MISNAMED_RUBY_FUNCTION, { name, path: this.#path })
    this.#callsItself = shape.get('calls_itself') === true
    const named = new Map<string, Type>()
    const resolve = (sought: string): Type | undefined =>
      named.get(sought.toLowerCase()) ?? this.#session.crossings.resolve(sought)
    for (const text of shape.get('types') as readonly string[]) {
      const [, alias = '', type = ''] = /^\s*(\w+)\s*=\s*(.*)$/s.exec(text) ?? []
      named.set(
        alias.toLowerCase(),
        createTypeAliasType(alias, () => parseType(type, resolve)),
      )
    }
    return (shape.get('dispatches') as readonly Hash[]).map((each) =>
      parseDispatch(each, (text) => parseType(text, resolve)),
    )
  }
}

function findFirstValue(result: readonly Value[]): { readonly value: Value } | undefined {
  return result.length > 0 ? { value: result[0] } : undefined
}

function parseDispatch(shape: Hash, read: (text: string) => Type): Dispatch {
  const parameters = (shape.get('parameters') as readonly Hash[]).map(
    (each): SignatureParameter => ({
      name: String(each.get('name')),
      type: String(each.get('type')),
      count: each.get('count') as SignatureParameter['count'],
    }),
  )
  const block = shape.get('block')
  const written = {
    parameters,
    block:
      block instanceof Hash
        ? { name: String(block.get('name')), type: String(block.get('type')), optional: block.get('optional') === true }
        : undefined,
    returns: shape.get('returns') as string | undefined,
  }
  return {
    type: toCallableType(written, read),
    names: parameters.map(({ name }) => name),
    method: String(shape.get('method')),
    mismatch: shape.get('mismatch') === true,
  }
}

/** A module function defined with `Puppet::Parser::Functions.newfunction`. */
export class LegacyRubyFunction extends TracedCallable {
  readonly name: string
  readonly span = undefined
  readonly parameterNames: readonly (readonly string[])[] = [['args']]
  readonly #session: RubySession
  readonly #path: string | undefined
  #arity: number | undefined

  /** `path` is the defining file, if the file has the name of another function. */
  constructor(session: RubySession, name: string, path = session.surroundings.legacyFunction(name)) {
    super()
    this.name = name
    this.#session = session
    this.#path = path
  }

  get signatures(): readonly CallableType[] {
    return [createLegacySignature(this.#load(this.#session.context))]
  }

  call(context: CallContext, args: readonly Value[], block?: Callable): Value {
    this.#load(context)
    const session = this.#session
    const scope = session.getScopeNumber(context.scope)
    return session.called({
      label: this.name,
      code: this.#code(),
      args: block ? [...args, block] : args,
      context,
      make: () => session.runForJson('call_legacy_function', [this.name, scope, args, block], context),
    })
  }

  #code(): TracedCode | undefined {
    const path = this.#path
    return path === undefined ? undefined : this.#session.calls.base.code(`function ${path}`, [path])
  }

  /** Loads the function and returns its number of arguments; Ruby checks the count. */
  #load(context: CallContext): number {
    if (this.#arity !== undefined) return this.#arity
    const shape = this.#session.load('load_legacy_function', [this.name], context)
    const path = this.#path ?? ''
    if (!(shape instanceof Hash)) return throwIssue(functionIssues.MISNAMED_RUBY_FUNCTION, { name: this.name, path })
    this.#arity = Number(shape.get('arity'))
    for (const other of shape.get('others') as readonly string[]) this.#session.otherFunctions.set(other, path)
    return this.#arity
  }
}
