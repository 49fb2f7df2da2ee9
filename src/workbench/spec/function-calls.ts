import { defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import type { Compilation } from '../../compiler/catalog/compilation.ts'
import { issues as compilationIssues } from '../../compiler/request/issues.ts'
import { LegacyFunction } from '../../language/functions/definition/legacy-function.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import { ANY, createCallableType, createSizeBounds, createTupleType } from '../../language/types/constructors.ts'
import { Callable } from '../../language/values/callable.ts'
import type { CallableType } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import { RubyError } from '../../ruby/ruby-machine.ts'
import { preludeAnswers } from '../../ruby/session/prelude-answers.ts'
import { RubyFunction } from '../../ruby/session/ruby-functions.ts'
import { type Crossings, fromRuby, toRuby } from '../../ruby/tagged-json.ts'
import type { SpecCall } from './spec-request.ts'

const issues = defineIssues({
  UNKNOWN_SUITE_QUESTION: { text: (a: { name: string }) => `The suite asked an unknown question: '${a.name}'` },
})

/** Calls blocks of the Ruby process that sent the request. */
export interface RubyBlocks {
  /** Returns the value of a block. Throws the error that the block raised. */
  call(block: number, args: Json): Json
}

/** An error that a tested function raised, apart from errors of the code around it. */
export class FunctionError extends PuppetError {
  /** Name of the exception that Puppet raises. */
  readonly exceptionClass: string
  /** Message of that exception. */
  readonly exceptionMessage: string

  /** `isLegacy` is true for a function in the API of Puppet 3, which raises parse errors. */
  constructor(error: PuppetError, isLegacy: boolean) {
    super(error.diagnostic, { cause: error })
    // Errors in the body of a function in the Puppet language have a place, which their messages contain.
    const isInBody = error.diagnostic.span !== undefined && !(error instanceof RubyError)
    this.exceptionMessage = isInBody ? error.message : error.diagnostic.message
    if (error instanceof RubyError) this.exceptionClass = error.kind
    else if (isInBody) this.exceptionClass = 'Puppet::PreformattedError'
    else if (isIssue(error, compilationIssues.UNKNOWN_CLASS)) this.exceptionClass = 'Puppet::Error'
    else this.exceptionClass = isLegacy ? 'Puppet::ParseError' : 'ArgumentError'
  }
}

/** Answers a question of Ruby code in an evaluated compilation. Throws FunctionError. */
export function answerCall(compilation: Compilation, { name, args, block }: SpecCall, blocks: RubyBlocks): Json {
  const crossings = createCrossings(compilation, blocks)
  try {
    const given = fromRuby(args, crossings) as readonly Value[]
    const values = block === undefined ? given : [...given, crossings.block(block, -1)]
    if (name === 'choose') return chooseSignature(compilation, values)
    const answer = Object.hasOwn(preludeAnswers, name) ? preludeAnswers[name] : undefined
    if (!answer) throwIssue(issues.UNKNOWN_SUITE_QUESTION, { name })
    return toRuby(answer(compilation.ruby, values), crossings)
  } catch (error) {
    throw error instanceof PuppetError ? new FunctionError(error, isLegacyCall(compilation, name, args)) : error
  }
}

/** Returns true for a call of a function in the API of Puppet 3 that the compiler runs itself. */
function isLegacyCall({ host, top }: Compilation, question: string, args: Json): boolean {
  const called = question === 'call' && Array.isArray(args) ? args[2] : undefined
  return typeof called === 'string' && host.findFunction(called, top) instanceof LegacyFunction
}

/**
 * Describes a function for Ruby: `host` if the compiler runs it, `function` or `legacy` with the path of its Ruby file; null
 * if it does not exist.
 */
export function describeFunction({ host, types, top }: Compilation, given: string): Json {
  const name = given.replace(/^::/, '')
  if (host.findFunction(name, top) === undefined) return null
  if (builtinFunctions.has(name) || types.function(name)) return ['host']
  const path = types.rubyFunction(name)
  if (path !== undefined) return ['function', path]
  const legacy = types.legacyRubyFunction(name)
  return legacy === undefined ? ['host'] : ['legacy', legacy]
}

/** Returns the index of the signature of a Ruby function that accepts the arguments. Throws ARGUMENT_MISMATCH. */
function chooseSignature({ ruby, types }: Compilation, [name, args, block]: readonly Value[]): number {
  const path = types.rubyFunction(String(name)) ?? ''
  const callable = new RubyFunction(ruby, String(name), path)
  return callable.choose(ruby.context, args as readonly Value[], block as Callable | undefined)
}

/** The crossings of the compilation, with blocks of the suite. */
function createCrossings({ ruby }: Compilation, blocks: RubyBlocks): Crossings {
  const { keep, kept, getScopeNumber, resolve } = ruby.crossings
  const block = (id: number, arity: number): Callable => new SuiteBlock(id, arity, blocks, crossings)
  const crossings: Crossings = { keep, kept, getScopeNumber, resolve, block }
  return crossings
}

/** A block of an example, which functions call as a lambda. */
class SuiteBlock extends Callable {
  readonly name = 'lambda'
  readonly span = undefined
  readonly signatures: readonly CallableType[]
  readonly parameterNames = [[]]
  readonly #id: number
  readonly #blocks: RubyBlocks
  readonly #crossings: Crossings

  constructor(id: number, arity: number, blocks: RubyBlocks, crossings: Crossings) {
    super()
    const least = arity < 0 ? -arity - 1 : arity
    const bounds = createSizeBounds(least, arity < 0 ? undefined : arity)
    this.signatures = [createCallableType(createTupleType([ANY], bounds))]
    this.#id = id
    this.#blocks = blocks
    this.#crossings = crossings
  }

  call(_context: unknown, args: readonly Value[]): Value {
    const given = args.map((each) => toRuby(each, this.#crossings))
    return fromRuby(this.#blocks.call(this.#id, ['l', ...given]), this.#crossings)
  }
}
