import { throwIssue } from '../../../base/issue.ts'
import type { CallContext } from '../../host.ts'
import {
  createCallableType,
  createOptionalType,
  createSizeBounds,
  createTupleType,
  createTypeAliasType,
} from '../../types/constructors.ts'
import { parseType } from '../../types/from-code/type-parser.ts'
import { acceptsUndef, getTupleSize, isAssignable } from '../../types/is-assignable.ts'
import { isInstance } from '../../types/is-instance.ts'
import { describeCallMismatch } from '../../types/mismatch/mismatch.ts'
import { Callable } from '../../values/callable.ts'
import type { CallableType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { assertInstance } from './assert-instance.ts'
import { functionIssues } from './issues.ts'
import { type FunctionSignature, readSignature } from './signature.ts'

/** The block of a call; `callable` is the lambda itself, for functions that inspect its parameters. */
export interface FunctionBlock {
  (...args: Value[]): Value
  readonly callable: Callable
}

/**
 * Implements a signature. Its arguments are the signature's parameters in order (`undefined` for an omitted argument,
 * an array for a repeated parameter), then the block if the signature has one, then the context.
 */
// biome-ignore lint/suspicious/noExplicitAny: the signature is the type, and what checks it
export type Implementation = (...args: any[]) => Value

/** Optional settings of a function. */
export interface FunctionOptions {
  /** Local names of the types that this function's signatures use. */
  readonly types?: Readonly<Record<string, string>>
  /**
   * Signatures that give better error messages. They are tried if no signature accepts the call; each returns a message
   * or `undefined`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as for implementations
  readonly mismatch?: Readonly<Record<string, (...args: any[]) => string | undefined>>
}

/**
 * Defines a Puppet function, built-in or from a plug-in. Each key of `signatures` is a signature in Puppet's syntax.
 * Signatures are tried in order; they are parsed on the first call.
 */
export function defineFunction(
  name: string,
  doc: string,
  signatures: Readonly<Record<string, Implementation>>,
  options: FunctionOptions = {},
): DefinedFunction {
  return new DefinedFunction(name, doc, signatures, options)
}

/** A function created by `defineFunction`. */
export class DefinedFunction extends Callable {
  readonly name: string
  /** Description of the function for its users. */
  readonly doc: string
  readonly span = undefined
  readonly #written: Readonly<Record<string, Implementation>>
  readonly #options: FunctionOptions
  #dispatches: readonly Dispatch[] | undefined
  #mismatches: readonly Dispatch[] | undefined

  constructor(
    name: string,
    doc: string,
    signatures: Readonly<Record<string, Implementation>>,
    options: FunctionOptions,
  ) {
    super()
    this.name = name
    this.doc = doc
    this.#written = signatures
    this.#options = options
  }

  get signatures(): readonly CallableType[] {
    return this.#known().map(({ type }) => type)
  }

  get parameterNames(): readonly (readonly string[])[] {
    return this.#known().map(({ names }) => names)
  }

  call(context: CallContext, args: readonly Value[], block?: Callable): Value {
    for (const { type, run } of this.#known()) {
      if (!canAcceptCall(type, args, block)) continue
      const result = run(context, args, block)
      if (type.returns) assertInstance(`value returned from function '${this.name}'`, type.returns, result)
      return result
    }
    return this.#refuse(context, args, block)
  }

  #refuse(context: CallContext, args: readonly Value[], block: Callable | undefined): never {
    this.#mismatches ??= parseDispatches(this.#options.mismatch ?? {}, this.#options.types)
    const better = this.#mismatches.find(({ type }) => canAcceptCall(type, args, block))?.run(context, args, block)
    const message =
      typeof better === 'string'
        ? `'${this.name}' ${better}`
        : (describeCallMismatch(this.name, this.signatures, this.parameterNames, args, block) ?? this.name)
    throwIssue(functionIssues.ARGUMENT_MISMATCH, { message })
  }

  #known(): readonly Dispatch[] {
    this.#dispatches ??= parseDispatches(this.#written, this.#options.types)
    return this.#dispatches
  }
}

/** A parsed signature and its implementation. */
interface Dispatch {
  readonly type: CallableType
  readonly names: readonly string[]
  run(context: CallContext, args: readonly Value[], block: Callable | undefined): Value
}

function parseDispatches(
  // biome-ignore lint/suspicious/noExplicitAny: as for implementations
  written: Readonly<Record<string, (...args: any[]) => Value>>,
  named: Readonly<Record<string, string>> = {},
): Dispatch[] {
  const known = new Map<string, Type>()
  const resolveType = (name: string): Type | undefined => known.get(name)
  for (const [name, text] of Object.entries(named))
    known.set(
      name,
      createTypeAliasType(name, () => parseType(text, resolveType)),
    )
  const readType = (text: string): Type => parseType(text, resolveType)
  return Object.entries(written).map(([text, implementation]) =>
    parseDispatch(readSignature(text), implementation, readType),
  )
}

function parseDispatch(
  signature: FunctionSignature,
  implementation: Implementation,
  read: (text: string) => Type,
): Dispatch {
  const { parameters, block } = signature
  const repeated = parameters.findIndex(({ count }) => count === 'any' || count === 'some')
  return {
    type: toCallableType(signature, read),
    names: parameters.map(({ name }) => name),
    run(context, args, given) {
      const values: unknown[] = []
      for (let index = 0; index < parameters.length; index++)
        values.push(index === repeated ? args.slice(index) : args[index])
      if (block) values.push(given && toBlock(given, context))
      values.push(context)
      return implementation(...values)
    },
  }
}

/** Callable type of a signature. */
export function toCallableType(
  { parameters, block, returns }: FunctionSignature,
  read: (text: string) => Type,
): CallableType {
  const least = parameters.filter(({ count }) => count === 'one' || count === 'some').length
  const unlimited = parameters.some(({ count }) => count === 'any' || count === 'some')
  const types = parameters.map(({ type }) => read(type))
  const size = createSizeBounds(least, unlimited ? undefined : parameters.length)
  const blockType = block && read(block.type)
  return createCallableType(
    createTupleType(types, size),
    blockType && (block.optional ? createOptionalType(blockType) : blockType),
    returns === undefined ? undefined : read(returns),
  )
}

/** True if a signature accepts the arguments and the block. */
export function canAcceptCall(
  { parameters, block }: CallableType,
  args: readonly Value[],
  given: Callable | undefined,
): boolean {
  const { types } = parameters!
  const { from = 0, to } = getTupleSize(parameters!)
  if (args.length < from || (to !== undefined && args.length > to)) return false
  for (let index = 0; index < args.length; index++)
    if (!isInstance(types[Math.min(index, types.length - 1)]!, args[index])) return false
  if (!given) return !block || acceptsUndef(block)
  return block !== undefined && given.signatures.some((signature) => isAssignable(block, signature))
}

function toBlock(callable: Callable, context: CallContext): FunctionBlock {
  return Object.assign((...args: Value[]) => callable.call(context, args), { callable })
}
