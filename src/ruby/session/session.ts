import { formatSourceLocation, type PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { CallContext, EvaluationHost } from '../../language/host.ts'
import { createResourceType } from '../../language/types/constructors.ts'
import { LOOKUP_CONTEXT } from '../../language/types/objects/builtin-objects.ts'
import type { Callable } from '../../language/values/callable.ts'
import { ObjectValue } from '../../language/values/object.ts'
import type { RuntimeValue } from '../../language/values/runtime-value.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { RubyMachine } from '../ruby-machine.ts'
import type { RubyWatch } from '../run-watch.ts'
import { type Crossings, fromRuby, getLookupLocation, toRuby, toRubyText } from '../tagged-json.ts'
import { isTimeLimitError, runWithTimeLimit } from '../time-limit.ts'
import type { InputReadListener } from '../vm/ruby-engine.ts'
import { preludeAnswers } from './prelude-answers.ts'
import { RubyBlock } from './ruby-block.ts'
import type { Surroundings } from './surroundings.ts'
import type { RubyCall } from './traced/ruby-call.ts'
import { pureFunctions, readingFunctions } from './traced/trace-questions.ts'
import { TracedCallable } from './traced/traced-callable.ts'
import { TracedCalls } from './traced/traced-calls.ts'

/** A finished call of a Ruby function or template. */
export interface ObservedCall {
  /** Name for messages: `template('web/vhost.erb')`, or the name of the function. */
  readonly label: string
  readonly isRecalled: boolean
  /** Reason why the result cannot be reused for later calls; `undefined` if it can be. */
  readonly reason: string | undefined
}

/** Limits and checks on running Ruby code. */
export interface RubyGuards {
  /** Lets another thread supervise running Ruby. */
  readonly watch?: RubyWatch | undefined
  /** Time limit of a call in seconds, enforced by this thread; 0 or undefined means no limit. */
  readonly timeLimit?: number | undefined
  /** Every Nth recalled call is computed again and compared. 0: no comparison; `undefined`: no recall. */
  readonly checkCallsEvery?: number | undefined
  /** Called for each finished call. */
  readonly observeCall?: ((call: ObservedCall) => void) | undefined
}

/** Maximum number of characters that Ruby may print for one catalog. Further output is discarded. */
const mostPrinted = 64 * 1024

/** Code files that each machine has loaded. */
const loadedFiles = new WeakMap<RubyMachine, Set<string>>()

/** The current catalog of each machine, as a symbol, so that a finished catalog can be freed. */
const users = new WeakMap<RubyMachine, symbol>()

/**
 * The Ruby state of one compilation. Contains the numbers of values that the host and Ruby exchange; they are valid for
 * this catalog only. `machine` returns the environment's machine, or a new machine after a crash.
 */
export class RubySession {
  readonly host: EvaluationHost
  readonly surroundings: Surroundings
  readonly top: Scope
  readonly crossings: Crossings
  /** Paths of loaded files that define a Puppet 3 function with a name other than the file's, by function name. */
  readonly otherFunctions = new Map<string, string>()
  readonly observeCall: RubyGuards['observeCall']
  readonly #sign = Symbol('catalog')
  readonly #machine: () => RubyMachine
  readonly #scopes: Scope[] = []
  readonly #numbers = new Map<Scope, number>()
  readonly #kept: (Callable | ObjectValue | RuntimeValue)[] = []
  readonly #owners = new Map<object, number>()
  readonly #watch: RubyWatch | undefined
  readonly #timeLimit: number
  #used: RubyMachine | undefined
  readonly #calls: TracedCalls
  /**
   * Variables that were set on behalf of a recalled call, and that Ruby may set again once; keys are `SCOPE NAME`.
   */
  readonly #setEarly = new Set<string>()
  #depth = 0
  #printed = 0
  #context: CallContext

  constructor(
    machine: () => RubyMachine,
    host: EvaluationHost,
    top: Scope,
    surroundings: Surroundings,
    { watch, timeLimit = 0, checkCallsEvery, observeCall }: RubyGuards,
  ) {
    this.observeCall = observeCall
    this.#watch = watch
    this.#timeLimit = timeLimit
    this.#machine = machine
    this.host = host
    this.top = top
    this.surroundings = surroundings
    this.#context = { host, scope: top, span: undefined }
    this.#calls = new TracedCalls(this, surroundings.debug ? undefined : checkCallsEvery)
    this.getScopeNumber(top)
    this.crossings = {
      keep: (value) => this.#kept.push(value) - 1,
      kept: (id) => (Number.isInteger(id) ? this.#kept[id] : undefined),
      getScopeNumber: (owner) => assignNumber(this.#owners, owner),
      block: (id, arity) => new RubyBlock(this, id, arity),
      resolve: (name) => this.#type(name),
    }
  }

  /** The context of the current call from a manifest. */
  get context(): CallContext {
    return this.#context
  }

  /** Logs Ruby's output, up to the limit for one catalog. */
  print(text: string): void {
    const { host, context } = this
    const line = text.slice(0, mostPrinted - this.#printed).trimEnd()
    this.#printed += line.length
    if (line !== '') host.log('debug', line, context.scope, context.span)
  }

  scope(number: Value): Scope {
    return (Number.isInteger(number) ? this.#scopes[number as number] : undefined) ?? this.top
  }

  /**
   * Runs a prelude operation for a call, with conversion of values. `file` is the Ruby file to name in errors if no
   * manifest code makes the call.
   */
  run(operation: string, args: readonly Value[], context: CallContext, file?: string): Value {
    this.#calls.catchUp()
    return this.load(operation, args, context, file)
  }

  /** Same as `run` for an operation that loads code, which reads no variables. */
  load(operation: string, args: readonly Value[], context: CallContext, file?: string): Value {
    return fromRuby(this.runForJson(operation, args, context, file), this.crossings)
  }

  /** Same as `run` for a traced call, without conversion of the result. */
  runForJson(operation: string, args: readonly Value[], context: CallContext, file?: string): Json {
    this.#machine() // start Ruby before the time limit of the module's code begins
    this.#watch?.begin(formatPlace(context) || (file === undefined ? '' : `(file: ${file})`))
    try {
      if (this.#depth > 0) return this.#run(operation, args, context)
      return runWithTimeLimit(this.#timeLimit, () => this.#run(operation, args, context))
    } catch (error) {
      if (isTimeLimitError(error)) this.#recover(error as PuppetError)
      throw error
    } finally {
      this.#watch?.end()
    }
  }

  #run(operation: string, args: readonly Value[], context: CallContext): Json {
    const outer = this.#context
    this.#context = context
    this.#depth++
    try {
      const json = args.map((each) => this.#toRuby(each))
      return this.#begun().call(operation, json, this.#answer)
    } finally {
      this.#depth--
      this.#context = outer
    }
  }

  /** Recovers from an error that interrupted Ruby: abandons the machine and all unfinished calls. */
  #recover(error: PuppetError): void {
    this.#used?.abandon(error)
    this.#calls.abandon()
    this.#depth = 0
    this.#context = { host: this.host, scope: this.top, span: undefined }
  }

  /** Returns Ruby's number for a scope. */
  getScopeNumber(scope: Scope): number {
    const number = assignNumber(this.#numbers, scope)
    this.#scopes[number] = scope
    return number
  }

  /** Returns the result of a call, recalled or computed; see TracedCalls. */
  called(call: RubyCall): Value {
    const outer = this.#context
    this.#context = call.context
    try {
      return fromRuby(this.#calls.result(call), this.crossings)
    } finally {
      this.#context = outer
    }
  }

  /** Traces and recalls the calls of this catalog. */
  get calls(): TracedCalls {
    return this.#calls
  }

  readonly #answer = (name: string, args: readonly Json[]): Json => {
    const own = this.surroundings.answer?.(name, args)
    if (own !== undefined) return own
    if (name === 'noted') {
      this.#calls.noted(args[0] as readonly Json[])
      return null
    }
    if (name === 'quiet') return this.#calls.loading.quiet(args[0] === true)
    const goOn = this.#watch?.pause()
    try {
      return this.#calls.answer(name, args, () => {
        const held = this.#kept.length
        const answer = this.#toRuby(this.#answerTo(name, this.#fromRuby(args)))
        return { answer, isNumbered: this.#kept.length > held }
      })
    } catch (error) {
      this.#calls.spoil('fails')
      throw error
    } finally {
      goOn?.()
    }
  }

  #fromRuby(args: readonly Json[]): Value[] {
    return args.map((each) => fromRuby(each, this.crossings))
  }

  #answerTo(name: string, values: readonly Value[]): Value {
    const answer = Object.hasOwn(preludeAnswers, name) ? preludeAnswers[name] : undefined
    if (!answer) throw new Error(`Ruby sent an unknown request: ${name}`)
    return answer(this, values)
  }

  /** Sets a variable for Ruby; returns false if Ruby may not set it. */
  setVariable(number: number, name: string, value: Value): boolean {
    const scope = this.scope(number)
    if (scope.isBound(name) && !this.#setEarly.delete(`${number} ${name}`)) return false
    scope.set(name, value)
    return true
  }

  /** Records that Ruby loads a code file. */
  loaded(file: string): void {
    const machine = this.#machine()
    const files = loadedFiles.get(machine) ?? new Set()
    loadedFiles.set(machine, files.add(file))
  }

  /** Returns true if the machine has loaded these code files. */
  hasLoaded(files: ReadonlySet<string>): boolean {
    if (files.size === 0) return true
    const loaded = loadedFiles.get(this.#machine())
    return loaded !== undefined && [...files].every((file) => loaded.has(file))
  }

  /** True while a call is being recorded. */
  get isNested(): boolean {
    return this.#calls.isNested
  }

  /** Returns true for a variable that Ruby may set and has not set yet. */
  isSettable(scope: number, name: string): boolean {
    return !this.#calls.isOwnVariable(scope, name) && !this.scope(scope).isBound(name)
  }

  /** Sets a variable on behalf of a recalled call. Ruby may set it again when it runs the call later. */
  setAhead(scope: number, name: string, value: Json): void {
    this.scope(scope).set(name, fromRuby(value, this.crossings))
    this.#calls.addOwnVariable(scope, name)
    this.#setEarly.add(`${scope} ${name}`)
  }

  /** Returns the current reply to a query as JSON; `undefined` if it is missing or valid for this catalog only. */
  answerAgain(name: string, args: readonly Json[]): string | undefined {
    if (name === 'variable' && this.#calls.isOwnVariable(args[0] as number, String(args[1]))) return undefined
    return this.#comparable(() => this.#answerTo(name, this.#fromRuby(args)))
  }

  interpolateAgain(context: ObjectValue, value: Json, call: CallContext): string | undefined {
    const interpolate = context.method('interpolate')!
    return this.#comparable(() => interpolate.call(call, [context, fromRuby(value, this.crossings)]))
  }

  /** Returns a value as JSON; `undefined` if it is meaningful in this catalog only. */
  toComparableJson(value: Value): string | undefined {
    if (typeof value === 'string') return JSON.stringify(value)
    if (!this.isLookupContext(value)) return this.#comparable(() => value)
    // The reads of this object are recorded for an explanation; a recalled call would read nothing.
    if (value.isWatched) return undefined
    return JSON.stringify(['lc', ...getLookupLocation(value)])
  }

  isLookupContext(value: Value): value is ObjectValue {
    return value instanceof ObjectValue && value.type === LOOKUP_CONTEXT
  }

  /** Returns Ruby's number for the state of a lookup context. */
  ownerNumber(context: ObjectValue): number {
    return this.crossings.getScopeNumber(context.owner)
  }

  /** Sends Ruby the values that recalled calls cached in a lookup context. */
  restore(context: ObjectValue, entries: readonly (readonly [key: Json, value: Json])[]): void {
    if (entries.length === 0) return
    const list = ['l', ...entries.map(([key, value]): Json => ['l', key, value])]
    this.#begun().callAlone('restore_cache', [this.ownerNumber(context), list])
  }

  /** Runs an operation that sends no queries; values are plain lists and texts. */
  ask(operation: string, args: readonly Json[]): Value {
    const given = args.map((each) => this.#toRuby(each as Value))
    return fromRuby(this.#begun().callAlone(operation, given), this.crossings)
  }

  /** Returns true if calls of the function are traced or have no side effects; false for a call with a block. */
  isReading(name: string, hasBlock: boolean): boolean {
    if (hasBlock) return false
    const plain = name.replace(/^::/, '')
    if (pureFunctions.has(plain) || readingFunctions.has(plain)) return true
    return this.host.findFunction(plain, this.top) instanceof TracedCallable
  }

  #comparable(find: () => Value): string | undefined {
    const held = this.#kept.length
    try {
      const text = toRubyText(find(), this.crossings)
      return this.#kept.length > held ? undefined : text
    } catch {
      // Ruby will repeat the query and get the error.
      return undefined
    }
  }

  #toRuby(value: Value): Json {
    return toRuby(value, this.crossings)
  }

  #begun(): RubyMachine {
    const machine = this.#machine()
    if (this.#used && this.#used !== machine) this.#calls.stop()
    this.#used = machine
    machine.onLook = this.#looked
    if (users.get(machine) !== this.#sign) {
      users.set(machine, this.#sign)
      const { loadPath, debug } = this.surroundings
      machine.call('begin_catalog', [this.#toRuby(loadPath), debug], this.#answer)
    }
    return machine
  }

  readonly #looked: InputReadListener = (sight) => {
    if (!this.#calls.looked(sight)) this.surroundings.saw(sight, true)
  }

  #type(name: string): Type | undefined {
    const found = this.host.findType(name, this.top)
    if (found) return found
    const type = name.toLowerCase()
    return this.host.catalog?.isTypeKnown(type) ? createResourceType(type) : undefined
  }
}

/** Returns the number of an object, assigned on first use. */
function assignNumber<Thing>(numbers: Map<Thing, number>, thing: Thing): number {
  const number = numbers.get(thing) ?? numbers.size
  numbers.set(thing, number)
  return number
}

/** Returns the location of a call, `(file: F, line: L, column: C)`; empty if it is unknown. */
function formatPlace({ span }: CallContext): string {
  return span ? formatSourceLocation(span) : ''
}
