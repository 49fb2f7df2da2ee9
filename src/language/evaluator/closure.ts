import { formatSourceLocation, throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import type { CallContext, WorkMeter } from '../host.ts'
import type { Expression, Parameter } from '../syntax/tree/nodes.ts'
import { ANY, createCallableType, createSizeBounds, createTupleType } from '../types/constructors.ts'
import { isInstance } from '../types/is-instance.ts'
import { describeCallMismatch, describeMismatch } from '../types/mismatch/mismatch.ts'
import { Callable } from '../values/callable.ts'
import type { CallableType, Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext } from './context.ts'
import { NextSignal, ReturnSignal } from './control-flow.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { evaluateDefault } from './parameters.ts'
import type { Scope } from './scope.ts'

/** The code of a closure: a lambda or a function definition. */
interface Code {
  readonly parameters: readonly Parameter[]
  readonly returnType: Expression | undefined
  readonly body: Expression
  readonly span: SourceSpan
}

/** A lambda with the scope in which it was evaluated. */
export class Closure extends Callable {
  readonly #code: Code
  readonly #context: EvaluationContext
  /** True if the parameters have no types, defaults or splat. */
  readonly #plain: boolean
  #signature: CallableType | undefined
  #returns: Type | undefined

  constructor(code: Code, context: EvaluationContext) {
    super()
    this.#code = code
    this.#context = context
    this.#plain = isPlainCode(code)
  }

  get name(): string {
    return 'lambda'
  }

  get span(): SourceSpan {
    return this.#code.span
  }

  get parameterNames(): readonly (readonly string[])[] {
    return [this.#code.parameters.map(({ name }) => name)]
  }

  get signatures(): readonly CallableType[] {
    return [this.#type]
  }

  /** The scope in which the closure was created; visible to its body. */
  get scope(): Scope {
    return this.#context.scope
  }

  override call(_context: CallContext, args: readonly Value[]): Value {
    const { parameters } = this.#code
    if (!this.#plain || args.length < parameters.length) return this.#run(this.#bound(args))
    const scope = this.openScope()
    for (let index = 0; index < parameters.length; index++) scope.set(parameters[index]!.name, args[index])
    return this.#run(scope)
  }

  /** Parameter types in order; for a splat parameter, the type of each element. */
  parameterTypes(): Type[] {
    return this.#code.parameters.map((parameter) => getElementType(parameter, this.#resolveType(parameter)))
  }

  /** Throws on too few or too many arguments, before defaults are evaluated. */
  protected checkCount(args: readonly Value[]): void {
    const { from, to } = this.#type.parameters!.size!
    if (args.length < (from ?? 0) || (to !== undefined && args.length > to)) this.#refuse(args)
  }

  /** Opens the scope for one run of the body. */
  protected openScope(): Scope {
    return this.#context.scope.local()
  }

  #run(scope: Scope): Value {
    const value = this.#valueOfBody(scope)
    if (!this.#code.returnType) return value
    this.#returns ??= this.#context.evaluate(this.#code.returnType) as Type
    if (!isInstance(this.#returns, value))
      throwIssue(evaluatorIssues.RUNTIME_ERROR, {
        detail: describeMismatch(`value returned from ${this.name} has wrong type,`, this.#returns, value),
      })
    return value
  }

  #valueOfBody(scope: Scope): Value {
    try {
      return this.#context.within(scope).evaluate(this.#code.body)
    } catch (signal) {
      if (signal instanceof NextSignal) return signal.value
      throw signal
    }
  }

  #bound(args: readonly Value[]): Scope {
    const { parameters } = this.#code
    const scope = this.openScope()
    scope.expect(parameters.map(({ name }) => name))
    const given: Value[] = []
    for (const [index, parameter] of parameters.entries()) {
      const value = this.#argument(index, parameter, args, scope)
      scope.set(parameter.name, value)
      if (parameter.capturesRest) given.push(...(value as readonly Value[]))
      else given.push(value)
    }
    this.#check(given)
    return scope
  }

  #argument(index: number, parameter: Parameter, args: readonly Value[], scope: Scope): Value {
    const { value: fallback, capturesRest } = parameter
    const evaluateParameterDefault = (): Value =>
      evaluateDefault(this.name, this.#code.parameters, parameter, this.#context.within(scope))
    if (capturesRest) {
      const rest = args.slice(index)
      if (rest.length > 1 || (rest.length === 1 && rest[0] !== undefined) || !fallback) return rest
      const value = evaluateParameterDefault()
      return Array.isArray(value) ? value : [value]
    }
    if (index < args.length) return args[index]
    return fallback
      ? evaluateParameterDefault()
      : failAtSpan(parameter.span, evaluatorIssues.MISSING_REQUIRED_PARAMETER, { name: parameter.name })
  }

  #check(given: readonly Value[]): void {
    const { parameters } = this.#type
    const { from, to } = parameters!.size!
    const count = given.length
    const counted = count >= (from ?? 0) && (to === undefined || count <= to)
    const types = parameters!.types
    if (counted && given.every((value, index) => isInstance(types[index] ?? types.at(-1) ?? ANY, value))) return
    this.#refuse(given)
  }

  #refuse(given: readonly Value[]): void {
    const detail = describeCallMismatch(this.name, this.signatures, this.parameterNames, given)
    if (detail !== undefined) throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail })
  }

  get #type(): CallableType {
    this.#signature ??= this.#makeType()
    return this.#signature
  }

  #makeType(): CallableType {
    let from = 0
    let to: number | undefined = 0
    let optional = false
    const types: Type[] = []
    for (const parameter of this.#code.parameters) {
      const type = this.#resolveType(parameter)
      const [least, most] = countArguments(parameter, type)
      if (least === 0) optional = true
      else if (optional)
        failAtSpan(parameter.span, evaluatorIssues.REQUIRED_PARAMETER_AFTER_OPTIONAL, { name: parameter.name })
      types.push(getElementType(parameter, type))
      from += least
      to = to === undefined || most === undefined ? undefined : to + most
    }
    const { returnType } = this.#code
    const returns = returnType && (this.#context.evaluate(returnType) as Type)
    return createCallableType(createTupleType(types, createSizeBounds(from, to)), undefined, returns)
  }

  #resolveType({ type }: Parameter): Type {
    return type ? (this.#context.evaluate(type) as Type) : ANY
  }
}

/** Creates the closure of a lambda; its runs are measured if the host has a profile. */
export function createLambda(code: Code, context: EvaluationContext): Closure {
  const { profile } = context.host
  return profile ? new MeasuredLambda(code, context, profile) : new Closure(code, context)
}

class MeasuredLambda extends Closure {
  readonly #profile: WorkMeter

  constructor(code: Code, context: EvaluationContext, profile: WorkMeter) {
    super(code, context)
    this.#profile = profile
  }

  override call(context: CallContext, args: readonly Value[]): Value {
    return this.#profile.measure('lambda', formatSourceLocation(this.span), () => super.call(context, args))
  }
}

/** A function in the Puppet language; its enclosing scope is the global scope. */
export class PuppetFunction extends Closure {
  readonly #name: string

  constructor(name: string, code: Code, context: EvaluationContext) {
    super(code, context)
    this.#name = name
  }

  override get name(): string {
    return this.#name
  }

  /** A function sees neither its caller's regular expression captures nor those of the top scope. */
  protected override openScope(): Scope {
    const scope = super.openScope()
    scope.matches = noMatch
    return scope
  }

  override call(context: CallContext, args: readonly Value[]): Value {
    this.checkCount(args)
    try {
      return super.call(context, args)
    } catch (signal) {
      if (signal instanceof ReturnSignal) return signal.value
      throw signal
    }
  }
}

const noMatch = { index: 0, groups: [], named: new Map<string, string | undefined>() }

const plainness = new WeakMap<Code, boolean>()

function isPlainCode(code: Code): boolean {
  let plain = plainness.get(code)
  if (plain === undefined) {
    plain = code.parameters.every(({ type, value, capturesRest }) => !type && !value && !capturesRest)
    plainness.set(code, plain)
  }
  return plain
}

/** Minimum and maximum number of arguments for a parameter. */
function countArguments({ capturesRest, value }: Parameter, type: Type): readonly [number, number | undefined] {
  if (capturesRest) return type.kind === 'Array' ? [type.size.from ?? 0, type.size.to] : [0, undefined]
  return [value ? 0 : 1, 1]
}

function getElementType({ capturesRest }: Parameter, type: Type): Type {
  return capturesRest && type.kind === 'Array' ? type.element : type
}
