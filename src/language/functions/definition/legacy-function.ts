import { throwIssue } from '../../../base/issue.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { ANY, createCallableType, createSizeBounds, createTupleType } from '../../types/constructors.ts'
import { printType } from '../../types/printing/print.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { toText } from '../../types/printing/text.ts'
import { getRubyName } from '../../types/ruby-class.ts'
import { Binary } from '../../values/binary.ts'
import { Callable } from '../../values/callable.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { type CallableType, isType, type Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { functionIssues } from './issues.ts'

/** Implementation of a Puppet 3.x function. */
export type LegacyImplementation = (args: readonly Value[], context: CallContext) => Value

/**
 * Defines a function with the Puppet 3.x API: the number of arguments is checked, not their types.
 * A negative arity is a minimum: -3 means two or more. `undef` is passed as an empty string, and
 * values unknown to Puppet 3 as text.
 */
export function defineLegacyFunction(
  name: string,
  doc: string,
  arity: number,
  implementation: LegacyImplementation,
): LegacyFunction {
  return new LegacyFunction(name, doc, arity, implementation)
}

/** A function created by `defineLegacyFunction`. */
export class LegacyFunction extends Callable {
  readonly name: string
  readonly doc: string
  readonly span = undefined
  readonly parameterNames: readonly (readonly string[])[] = [['args']]
  readonly #arity: number
  readonly #implementation: LegacyImplementation

  constructor(name: string, doc: string, arity: number, implementation: LegacyImplementation) {
    super()
    this.name = name
    this.doc = doc
    this.#arity = arity
    this.#implementation = implementation
  }

  get signatures(): readonly CallableType[] {
    return [createLegacySignature(this.#arity)]
  }

  call(context: CallContext, args: readonly Value[]): Value {
    const [name, given, arity] = [this.name, args.length, this.#arity]
    if (arity >= 0 ? given !== arity : given < -arity - 1)
      throwIssue(functionIssues.WRONG_ARGUMENT_COUNT, { name, given, arity })
    return this.#implementation(
      args.map((value) => (value === undefined ? '' : toLegacyValue(value))),
      context,
    )
  }
}

/** Ruby's `to_s` of an argument; references print as `File[/x]`. */
export function formatLegacyValue(value: Value): string {
  if (!isReference(value)) return formatAsString(value)
  const text = printType(value)
  const quote = text.indexOf("['")
  return quote < 0 || !text.endsWith("']") ? text : `${text.slice(0, quote)}[${text.slice(quote + 2, -2)}]`
}

/** Ruby's name of an argument that cannot be converted. */
export function getLegacyName(value: Value): string {
  return isReference(value) ? 'Puppet::Resource' : getRubyName(value)
}

function isReference(value: Value): value is Type {
  return (
    isType(value) &&
    (value.kind === 'Resource' ? value.title !== undefined : value.kind === 'Class' && value.className !== undefined)
  )
}

/** Signature of a function with the given arity. */
export function createLegacySignature(arity: number): CallableType {
  const least = arity < 0 ? -arity - 1 : arity
  return createCallableType(createTupleType([ANY], createSizeBounds(least, arity < 0 ? undefined : arity)))
}

/**
 * Converts a value to a type that Puppet 3 supports. Values of later types become text. Puppet:
 * pops/evaluator/runtime3_converter.rb.
 */
function toLegacyValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(toLegacyValue)
  if (value instanceof Hash)
    return Hash.of(Array.from(value, ([key, item]) => [toLegacyValue(key), toLegacyValue(item)]))
  if (value instanceof IteratorValue) return throwArgumentError('Use of an Iterator is not supported here')
  if (value instanceof Regexp) return value.inspect()
  return isTextual(value) ? toText(value) : value
}

function isTextual(value: Value): boolean {
  return (
    value instanceof SemVer ||
    value instanceof SemVerRange ||
    value instanceof Binary ||
    value instanceof Timespan ||
    value instanceof Timestamp
  )
}
