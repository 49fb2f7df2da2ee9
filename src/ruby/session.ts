import { inOneLine, type PuppetError } from '../base/issue.ts'
import type { Json } from '../base/wire.ts'
import type { Scope } from '../language/evaluator/scope.ts'
import type { CallContext, Host } from '../language/host.ts'
import { resourceType } from '../language/types/make.ts'
import type { Type } from '../language/types/type.ts'
import type { Callable } from '../language/values/callable.ts'
import type { ObjectValue } from '../language/values/object.ts'
import type { RuntimeValue } from '../language/values/runtime-value.ts'
import type { Value } from '../language/values/value.ts'
import { answers } from './answers.ts'
import { RubyBlock } from './block.ts'
import type { RubyMachine } from './machine.ts'
import { ownScope, type Question, type Rendering } from './rendering.ts'
import { Renderings } from './renderings.ts'
import { type Crossings, fromRuby, toRuby, toRubyText } from './tagged-json.ts'
import { isTimeout, withinTime } from './time-limit.ts'
import type { RubyWatch } from './watch.ts'

/** What Ruby code may learn beside what the language's host tells. */
export interface Surroundings {
  readonly environment: string
  /** Whether messages for debugging are wanted. */
  readonly debug: boolean
  readonly modulepath: readonly string[]
  /** The `lib` folders of all modules, for `require`. */
  readonly loadPath: readonly string[]
  readonly moduleNames: readonly string[]
  /** Names all Ruby code of the modules, as it is. */
  readonly rubyDigest: string
  /** Where a function of Puppet 3's kind is defined. */
  legacyFunction(name: string): string | undefined
  /** Where a type of resources is defined. */
  typeFile(name: string): string | undefined
  /** Whether a module brings providers for a type. */
  hasProviders(type: string): boolean
  /** A type that Puppet has itself. */
  builtinType(name: string): BuiltinType | undefined
  /** What is in the catalog so far: names of classes, tags, and references of resources. */
  catalogContents(): {
    readonly classes: readonly string[]
    readonly tags: readonly string[]
    readonly resources: readonly string[]
  }
  /** What resources of a type have in a scope when nothing else is said. */
  resourceDefaults(scope: Scope, type: string): Iterable<readonly [string, Value]>
  resourceParameters(type: string, title: string): Iterable<readonly [string, Value]> | undefined
  /** Puts another value in the place of one, by identity, wherever a parameter of the catalog has it. */
  replaceValue(old: Value, value: Value): void
}

/** As much as Ruby may learn of a type that no module defines. */
export interface BuiltinType {
  readonly parameters: ReadonlySet<string>
  readonly properties: ReadonlySet<string>
  readonly namevars: readonly string[]
  readonly isomorphic: boolean
}

/** What keeps Ruby from running without end. */
export interface RubyGuards {
  /** Told of Ruby, for another thread to look after this one. */
  readonly watch?: RubyWatch | undefined
  /** Seconds that a call may take, where this thread looks after itself; 0 or none is no limit. */
  readonly timeLimit?: number | undefined
}

/** How much Ruby may print for one catalog, in characters; the rest is lost. */
const mostPrinted = 64 * 1024

/** Questions whose arguments are names, and so the same in every catalog. */
const aboutNames: ReadonlySet<string> = new Set(['find_file', 'setting', 'template_content', 'variable', 'variables'])

/** The arguments of such questions, of those that are asked again. */
const argumentsOfQuestions = new WeakMap<Question, readonly Value[]>()

/** Which catalog a machine works for; the next one begins anew. By a sign of it: what is made is not to be kept. */
const users = new WeakMap<RubyMachine, symbol>()

/**
 * Ruby's part in the making of one catalog: what crosses between the two is numbered here, and forgotten with it.
 * `machine` gives the environment's machine, a fresh one after a crash.
 */
export class RubySession {
  readonly host: Host
  readonly surroundings: Surroundings
  readonly top: Scope
  readonly crossings: Crossings
  readonly #sign = Symbol('catalog')
  readonly #machine: () => RubyMachine
  readonly #scopes: Scope[] = []
  readonly #numbers = new Map<Scope, number>()
  readonly #kept: (Callable | ObjectValue | RuntimeValue)[] = []
  readonly #owners = new Map<object, number>()
  readonly #watch: RubyWatch | undefined
  readonly #timeLimit: number
  #used: RubyMachine | undefined
  readonly #renderings = new Renderings({
    answerAgain: (question, scope) => this.#answerAgain(question, scope),
    setAhead: (scope, name, value) => this.#setAhead(scope, name, value),
    looks: () => this.#machine().looks,
  })
  /** Variables that Ruby has yet to set, and that are set already: `SCOPE NAME`. */
  readonly #setEarly = new Set<string>()
  #depth = 0
  #printed = 0
  #context: CallContext

  constructor(
    machine: () => RubyMachine,
    host: Host,
    top: Scope,
    surroundings: Surroundings,
    { watch, timeLimit = 0 }: RubyGuards,
  ) {
    this.#watch = watch
    this.#timeLimit = timeLimit
    this.#machine = machine
    this.host = host
    this.top = top
    this.surroundings = surroundings
    this.#context = { host, scope: top, span: undefined }
    this.numberOf(top)
    this.crossings = {
      keep: (value) => this.#kept.push(value) - 1,
      kept: (id) => (Number.isInteger(id) ? this.#kept[id] : undefined),
      numberOf: (owner) => numbered(this.#owners, owner),
      block: (id, arity) => new RubyBlock(this, id, arity),
      resolve: (name) => this.#type(name),
    }
  }

  /** The call of the manifest's that Ruby works for now. */
  get context(): CallContext {
    return this.#context
  }

  /** What Ruby prints, as much of it as a catalog's log may hold. */
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
   * Runs an operation of the prelude's for a call; values cross both ways. `file` is the Ruby that is to blame where no
   * code of a manifest's calls it.
   */
  run(operation: string, args: readonly Value[], context: CallContext, file?: string): Value {
    if (operation !== 'render') this.#renderings.catchUp()
    this.#machine() // to start Ruby is not the time of the module's code
    this.#watch?.begin(placeText(context) || (file === undefined ? '' : `(file: ${file})`))
    try {
      if (this.#depth > 0) return this.#run(operation, args, context)
      return withinTime(this.#timeLimit, () => this.#run(operation, args, context))
    } catch (error) {
      if (isTimeout(error)) this.#recover(error as PuppetError)
      throw error
    } finally {
      this.#watch?.end()
    }
  }

  #run(operation: string, args: readonly Value[], context: CallContext): Value {
    const outer = this.#context
    this.#context = context
    this.#depth++
    try {
      const json = args.map((each) => this.#toRuby(each))
      return fromRuby(this.#begun().call(operation, json, this.#answer), this.crossings)
    } finally {
      this.#depth--
      this.#context = outer
    }
  }

  /** What ran was dropped where it was: the machine with all that it was about to do. */
  #recover(error: PuppetError): void {
    this.#used?.abandon(error)
    this.#renderings.abandon()
    this.#depth = 0
    this.#context = { host: this.host, scope: this.top, span: undefined }
  }

  /** The number by which Ruby knows a scope. */
  numberOf(scope: Scope): number {
    const number = numbered(this.#numbers, scope)
    this.#scopes[number] = scope
    return number
  }

  /** A template's text, known or made; see Renderings. */
  rendered(rendering: Rendering | undefined, context: CallContext, render: () => string): string {
    const outer = this.#context
    this.#context = context
    try {
      return this.#renderings.rendered(rendering, this.numberOf(context.scope), render)
    } finally {
      this.#context = outer
    }
  }

  readonly #answer = (name: string, args: readonly Json[]): Json => {
    const held = this.#kept.length
    const goOn = this.#watch?.pause()
    try {
      const answer = this.#toRuby(this.#answerTo(name, this.#fromRuby(args)))
      this.#renderings.answered({ name, args }, answer, this.#kept.length > held)
      return answer
    } catch (error) {
      this.#renderings.spoil()
      throw error
    } finally {
      goOn?.()
    }
  }

  #fromRuby(args: readonly Json[]): Value[] {
    return args.map((each) => fromRuby(each, this.crossings))
  }

  #answerTo(name: string, values: readonly Value[]): Value {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
    if (!answer) throw new Error(`Ruby asked for ${name}`)
    return answer(this, values)
  }

  /** Sets a variable for Ruby; whether it may. */
  setVariable(number: number, name: string, value: Value): boolean {
    const scope = this.scope(number)
    if (scope.isBound(name) && !this.#setEarly.delete(`${number} ${name}`)) return false
    scope.set(name, value)
    return true
  }

  #setAhead(scope: number, name: string, value: Json): boolean {
    if (!this.setVariable(scope, name, fromRuby(value, this.crossings))) return false
    this.#setEarly.add(`${scope} ${name}`)
    return true
  }

  /** As JSON; `undefined` when there is no answer, or one with things in it that are numbered for this catalog. */
  #answerAgain(question: Question, scope: number): string | undefined {
    const held = this.#kept.length
    try {
      const [first, ...rest] = this.#argumentsOf(question)
      const answer = this.#answerTo(question.name, [first === ownScope ? scope : first, ...rest])
      const text = toRubyText(answer, this.crossings)
      return this.#kept.length > held ? undefined : text
    } catch {
      // Ruby will ask again, and be told.
      return undefined
    }
  }

  #argumentsOf(question: Question): readonly Value[] {
    const known = argumentsOfQuestions.get(question) ?? this.#fromRuby(question.args)
    if (aboutNames.has(question.name)) argumentsOfQuestions.set(question, known)
    return known
  }

  #toRuby(value: Value): Json {
    return toRuby(value, this.crossings)
  }

  #begun(): RubyMachine {
    const machine = this.#machine()
    this.#used = machine
    if (users.get(machine) !== this.#sign) {
      users.set(machine, this.#sign)
      const { loadPath, debug } = this.surroundings
      machine.call('begin_catalog', [this.#toRuby(loadPath), debug], this.#answer)
    }
    return machine
  }

  #type(name: string): Type | undefined {
    const found = this.host.findType(name, this.top)
    if (found) return found
    const type = name.toLowerCase()
    return this.host.catalog?.isTypeKnown(type) ? resourceType(type) : undefined
  }
}

/** The number of something, given when it is first asked for. */
function numbered<Thing>(numbers: Map<Thing, number>, thing: Thing): number {
  const number = numbers.get(thing) ?? numbers.size
  numbers.set(thing, number)
  return number
}

/** `(file: F, line: L, column: C)` of a call; empty when nobody knows. */
function placeText({ span }: CallContext): string {
  return span ? inOneLine({ code: '', severity: 'error', message: '', span, hint: undefined }).trimStart() : ''
}
