import { budgets } from '../../../base/budgets/budgets.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import type { CallContext } from '../../../language/host.ts'
import type { Value } from '../../../language/values/value.ts'
import type { InputRead } from '../../ruby-machine.ts'
import { type TracedWork, Traces } from '../../trace/trace-engine.ts'
import { TraceMemory, type TraceOutcome } from '../../trace/trace-memory.ts'
import type { TraceQuestion } from '../../trace/trace-question.ts'
import { shortenAnswer } from '../../trace/trace-step.ts'
import type { ObservedCall, RubySession } from '../session.ts'
import { effects, hasObjectAddress, hasObjectNumbers } from './call-effects.ts'
import { judgeCode } from './code-verdict.ts'
import { ContextCache } from './context-cache.ts'
import { type Asker, codeQuestions, ownScope, topScope, traceQuestions } from './trace-questions.ts'
import { type CodeBase, getCodeBase, type TracedCode } from './traced-code.ts'

/** Cached results of calls as Ruby's JSON, shared by all catalogs that this thread compiles. */
const memory = new TraceMemory<Json>(budgets.environment.rememberedCalls.bound)

/** Returns the number of recalled calls in this thread, for tests and tools. */
export function countRecalledCalls(): number {
  return memory.recalls
}

/** A call of a function, or the rendering of a template. */
export interface RubyCall {
  /** `template('web/vhost.erb')`, or the name of the function. */
  readonly label: string
  /** Undefined for code whose calls are not cached. */
  readonly code: TracedCode | undefined
  readonly args: readonly Value[]
  readonly context: CallContext
  /** Queries whose replies determine the code: of a template with a name, the path and its content. */
  readonly located?: readonly TraceQuestion[]
  make(): Json
}

/** Work on a call; `call` is kept as long as the call may have to run. */
interface CallWork extends TracedWork<Asker, Json> {
  readonly call: RubyCall
  /** Sights of the call itself, without nested calls. */
  readonly sights: InputRead[]
  /** True if the call loaded code, which may cache what it reads. */
  hasLoaded: boolean
  /** Names of the variables that the call has set in its scope in Ruby. */
  readonly assigned: Set<string>
}

/** A period of Ruby code; `isQuiet` is true if Ruby read only code files in it. */
interface Stretch {
  isQuiet: boolean
  readonly code: string[]
}

/**
 * The calls of one catalog. Returns a recorded result if Ruby would send the same queries and get the same replies;
 * otherwise runs and records the call. `checkEvery` is passed to the engine; `undefined` disables recall.
 */
export class TracedCalls {
  readonly #session: RubySession
  readonly #traces: Traces<Asker, Json>
  readonly #caches = new Map<number, ContextCache>()
  /** Code whose files have been recorded. */
  readonly #used = new Set<TracedCode>()
  /** Running calls, the innermost last. */
  readonly #running: CallWork[] = []
  /** Variables that exist in Ruby only, or would after a recalled call: `SCOPE NAME`. */
  readonly #ownVariables = new Set<string>()
  readonly #stretches: Stretch[] = []
  /** True while a type is being loaded. */
  #isLoading = false
  /** Recalled calls that would have set variables in Ruby. */
  #late: CallWork[] = []
  /** Cached `besideCode`, with the number of sights it covers. */
  #beside = { size: 0, text: '' }
  #isOff: boolean
  #base: CodeBase | undefined

  constructor(session: RubySession, checkEvery: number | undefined) {
    this.#session = session
    this.#isOff = checkEvery === undefined
    this.#traces = new Traces({
      questions: traceQuestions,
      effects,
      memory,
      sizeOf: estimateOutcomeSize,
      isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      checkEvery: checkEvery ?? 0,
      differs: (work) => this.#differs(work as CallWork),
    })
  }

  /** True while a recorded call runs. */
  get isNested(): boolean {
    return this.#traces.isNested
  }

  /** All Ruby code of the environment. */
  get base(): CodeBase {
    const { environment, rubyDigest } = this.#session.surroundings
    this.#base ??= getCodeBase(environment, rubyDigest)
    return this.#base
  }

  /** Returns the result of a call, recalled or computed. */
  result(call: RubyCall): Json {
    if (this.#isOff) return this.#makeOnly(call)
    if (call.code && !this.#used.has(call.code)) {
      this.#used.add(call.code)
      // Recalled code may not read its files again, so the reads are recorded here.
      for (const file of call.code.files) this.#session.surroundings.pathAnswer(file)
    }
    return this.#traces.result(this.#work(call))
  }

  #makeOnly(call: RubyCall): Json {
    const made = call.make()
    this.#observe(call, { isRecalled: false, reason: 'recall is off' })
    return made
  }

  #observe({ label }: RubyCall, outcome: Omit<ObservedCall, 'label'>): void {
    this.#session.observeCall?.({ label, ...outcome })
  }

  /** Called before Ruby runs. Runs the recalled calls whose effects Ruby needs, in one scope or in all scopes. */
  catchUp(scope?: number): void {
    if (this.#late.length === 0) return
    const isInScope = ({ asker }: CallWork) => scope === undefined || asker.scope === scope || asker.scope === 0
    const late = this.#late.filter(isInScope)
    this.#late = this.#late.filter((each) => !isInScope(each))
    // Queries of these calls do not belong to a recorded call.
    for (const { call } of late) this.#traces.asking(createUnrepeatable('an earlier call'), () => call.make())
  }

  /** Finds and records the reply to a query from Ruby. With `hasObjectNumbers`, the reply is valid for one catalog only. */
  answer(
    name: string,
    args: readonly Json[],
    find: () => { readonly answer: Json; readonly isNumbered: boolean },
  ): Json {
    if (this.#isOff) return find().answer
    for (const stretch of this.#stretches) stretch.isQuiet = false
    const question = this.#createQuestion(name, args)
    const toText = ({ answer, isNumbered }: ReturnType<typeof find>) =>
      isNumbered ? undefined : JSON.stringify(answer)
    if (this.#traces.isReentering(question.kind)) return this.#traces.asking(question, find, toText).answer
    const found = find()
    if (name === 'log') this.#traces.did('log', args)
    else if (name === 'own_variable') this.#ownVariable(args)
    else if (name === 'set_variable' || name === 'changed') this.#changes(name, args, found.answer)
    else if (!codeQuestions.has(name)) this.#traces.asked(question, () => toText(found))
    return found.answer
  }

  /** Prevents caching of the running calls. */
  spoil(reason: string): void {
    this.#traces.spoil(reason)
  }

  /** Records a sight. Returns true if it belongs to a recorded call, which reports it to the session at its end. */
  looked(sight: InputRead): boolean {
    const { kind, path, isRead } = sight
    const { surroundings } = this.#session
    const code = kind === 'path' ? surroundings.codeAt(path) : undefined
    const isOfLib = code !== undefined
    const isCode = isOfLib || (kind === 'path' && path.endsWith('.rb'))
    // Descriptions of types are cached independently of the state of functions.
    const isBeside = !isOfLib || (code === 'function' && this.#isLoading)
    if (isBeside && ((isCode && isRead) || this.#stretches.length > 0)) this.#looksBeside(sight)
    if (this.#isOff) return false
    const work = this.#traces.isRecording ? this.#running.at(-1) : undefined
    if (work && isCode && isRead) work.hasLoaded = true
    if (isOfLib) {
      if (isRead) this.#loads(path)
      return false
    }
    const args = kind === 'clock' ? [] : [path]
    const answer =
      kind === 'chance' ? undefined : traceQuestions[kind]!.answer({ session: this.#session } as Asker, args)
    // A check that finds a directory does not count as an input: Ruby checks all parent directories of its code files.
    if (answer !== 'directory') for (const stretch of this.#stretches) stretch.isQuiet = false
    this.#traces.asked({ kind, args }, () => answer)
    work?.sights.push(sight)
    return work !== undefined
  }

  /** Runs `load`, which loads code: later calls depend on everything it reads. */
  loading<Result>(load: () => Result): Result {
    const isInside = this.#isLoading
    this.#isLoading = true
    this.quiet(true)
    try {
      return load()
    } finally {
      this.quiet(false)
      this.#isLoading = isInside
    }
  }

  /**
   * Returns the current state of the paths, other than code in `lib` folders, that machines read while loading code;
   * `undefined` if there are too many paths.
   */
  get besideCode(): string | undefined {
    const { beside } = this.base
    if (beside === undefined) return undefined
    if (this.#beside.size !== beside.size) {
      const { surroundings } = this.#session
      const answers = Array.from(beside, (path) => [
        path,
        path.endsWith('/') ? surroundings.folderAnswer(path.slice(0, -1)) : surroundings.pathAnswer(path),
      ])
      this.#beside = { size: beside.size, text: shortenAnswer(JSON.stringify(answers)) }
    }
    return this.#beside.text
  }

  /** Begins or ends a period in which Ruby should read only code; returns true if it did. */
  quiet(begins: boolean): boolean {
    if (begins) this.#stretches.push({ isQuiet: true, code: [] })
    const stretch = begins ? this.#stretches.at(-1) : this.#stretches.pop()
    if (!begins && stretch && !stretch.isQuiet) for (const file of stretch.code) this.base.loads(file)
    return stretch?.isQuiet ?? false
  }

  /** Handles notes on a call that Ruby sent. */
  noted(notes: readonly Json[]): void {
    if (this.#isOff) return
    const [, ...each] = notes
    for (const note of each) this.#note((note as readonly Json[]).slice(1))
  }

  /** Drops all running calls after the machine was abandoned. */
  abandon(): void {
    this.#traces.abandon()
    this.#running.length = 0
    this.#stretches.length = 0
  }

  /** Disables recording after a machine was replaced, since its cached state is unknown. */
  stop(): void {
    this.#isOff = true
  }

  isOwnVariable(scope: number, name: string): boolean {
    return this.#ownVariables.has(`${scope} ${name}`)
  }

  addOwnVariable(scope: number, name: string): void {
    this.#ownVariables.add(`${scope} ${name}`)
  }

  #work(call: RubyCall): CallWork {
    const { code, args, context } = call
    const scope = this.#session.getScopeNumber(context.scope)
    const object = args.find((each) => this.#session.isLookupContext(each))
    const lookup = object && { object, cache: this.#getCache(this.#session.ownerNumber(object)) }
    const obstacle = this.#findObstacle(code)
    const key = obstacle === undefined ? this.#computeKey(code!, args, scope) : undefined
    const work: CallWork = {
      call,
      key,
      asker: { session: this.#session, context, scope, lookup, makeLater: () => this.#makeLater(work) },
      roles: (number) => (number === scope ? ownScope : number === 0 ? topScope : undefined),
      sights: [],
      hasLoaded: false,
      make: () => this.#make(work),
      findObstacle: () => obstacle ?? (key === undefined ? 'has arguments of this catalog only' : this.#judged(code!)),
      assigned: new Set(),
      joined: () => this.#joined(work),
      recalled: () => this.#observe(call, { isRecalled: true, reason: undefined }),
      ended: (reason) => this.#ended(work, reason),
    }
    return work
  }

  /** Returns why calls of code are not recalled at present. */
  #findObstacle(code: TracedCode | undefined): string | undefined {
    if (!code) return 'is not in a file of UTF-8 text'
    return code.reason ?? (this.#session.hasLoaded(code.loads) ? undefined : 'has not been loaded yet')
  }

  /** Calls at the top scope have separate keys, because there the call's own scope and the top scope are the same. */
  #computeKey({ key }: TracedCode, args: readonly Value[], scope: number): string | undefined {
    let text = ''
    for (const each of args) {
      const said = this.#session.toComparableJson(each)
      if (said === undefined) return undefined
      text += said
    }
    return `${key} ${scope === 0 ? 'top' : ''} ${this.besideCode} ${shortenAnswer(text)}`
  }

  #make(work: CallWork): Json {
    const { call, asker } = work
    const { code } = call
    // A template reads its own scope only.
    this.catchUp(code?.text === undefined ? undefined : asker.scope)
    if (asker.lookup) this.#session.restore(asker.lookup.object, asker.lookup.cache.takeLate())
    this.#running.push(work)
    const depth = this.#running.length
    try {
      const made = call.make()
      // A call without a key is never cached.
      if (work.key !== undefined && hasObjectNumbers(made)) this.#traces.spoil('returns a numbered object')
      if (work.key !== undefined && hasObjectAddress(made)) this.#traces.spoil('returns the address of an object')
      return made
    } finally {
      this.#running.length = depth - 1
      // Code that was not judged, or whose calls are not cached, may later modify a value that it received.
      if (asker.lookup && (!code || this.#judged(code) !== undefined)) asker.lookup.cache.lose()
    }
  }

  /** Reports the sights of a call; code that caches nothing has forgotten them. */
  #ended({ call, sights, hasLoaded }: CallWork, reason: string | undefined): void {
    const { surroundings } = this.#session
    for (const each of sights) surroundings.saw(each, hasLoaded || reason !== undefined)
    this.#observe(call, { isRecalled: false, reason })
  }

  /** Adds a call that was recorded as a part of the enclosing call to that call. */
  #joined({ call, asker, sights, hasLoaded }: CallWork): [TraceQuestion, string | undefined][] {
    const outer = this.#running.at(-1)!
    outer.sights.push(...sights)
    outer.hasLoaded ||= hasLoaded
    outer.call.code?.includes(call.code!)
    this.#observe(call, { isRecalled: false, reason: undefined })
    return (call.located ?? []).map((each) => [each, traceQuestions[each.kind]!.answer(asker, each.args)])
  }

  #makeLater(work: CallWork): void {
    if (!this.#late.includes(work)) this.#late.push(work)
  }

  /** Returns the reason why calls of code are not cached; `undefined` if they are. */
  #judged(code: TracedCode): string | undefined {
    const { base } = code
    if (code.judgedAt !== base.loaded) {
      code.judgedAt = base.loaded
      code.verdict = judgeCode(this.#session, code)
    }
    return code.reason
  }

  #createQuestion(name: string, args: readonly Json[]): TraceQuestion {
    if (name === 'method') {
      const [id, method, given] = args
      const { lookup } = this.#running.at(-1)?.asker ?? {}
      const isOwn = lookup !== undefined && this.#session.crossings.kept(id as number) === lookup.object
      if (!isOwn || method !== 'interpolate') return createUnrepeatable(`the method ${String(method)}`)
      return { kind: 'interpolate', args: (given as readonly Json[]).slice(1) }
    }
    if (name === 'call' && !this.#session.isReading(String(args[1]), args[3] !== undefined))
      return createUnrepeatable(`the function ${String(args[1])}`)
    return { kind: name, args }
  }

  /**
   * Records that Ruby sets or reads a variable that it stores. A template may read what a template that renders it has set,
   * and change it in place: it is recorded as a part of that template.
   */
  #ownVariable([scope = null, name = null, isSet]: readonly Json[]): void {
    this.addOwnVariable(scope as number, String(name))
    if (isSet === true) return
    const setter = this.#running.findLastIndex(
      ({ asker, assigned }) => asker.scope === scope && assigned.has(String(name)),
    )
    const readers = this.#running.slice(setter + 1)
    const isPart = ({ asker, call }: CallWork) => asker.scope === scope && call.code?.text !== undefined
    if (setter === -1 || !readers.every(isPart)) this.#traces.spoil('reads a variable stored in Ruby')
    else this.#traces.join(readers.length)
  }

  #changes(name: string, [scope, variable = null, value = null]: readonly Json[], answer: Json): void {
    const isOwn = scope === this.#running.at(-1)?.asker.scope
    if (!isOwn || hasObjectNumbers(value)) this.#traces.spoil('sets a variable of another scope')
    else if (name === 'changed') this.#traces.did('changed', [variable, value])
    else if (answer === true) {
      this.#running.at(-1)?.assigned.add(String(variable))
      this.#traces.did('set', [variable, value])
    } else this.#traces.spoil('sets a variable that already has a value')
  }

  #note([kind, first = null, second = null, third = null]: readonly Json[]): void {
    if (kind === 'spoil') this.#traces.spoil(String(first))
    else if (kind === 'defined') this.base.adds(String(first), String(second))
    else if (kind === 'redefined') this.base.redefines(String(first))
    else if (kind === 'moved') this.base.changesConstant(String(first))
    else if (kind === 'runs') this.#runs(String(first))
    else this.#notedCache(String(kind), first as number, second, third)
  }

  #notedCache(kind: string, owner: number, key: Json, value: Json): void {
    const cache = this.#getCache(owner)
    if (kind === 'cache_lost' || hasObjectNumbers(value)) cache.lose()
    else if (kind === 'cache') cache.keep(key, value)
    if (cache !== this.#running.at(-1)?.asker.lookup?.cache) this.#traces.spoil('uses the cache of another lookup')
    else if (kind === 'cache' && !hasObjectNumbers(value)) this.#traces.did('cache', [key, value])
    else if (kind !== 'cached') this.#traces.spoil('caches a numbered object')
    else if (!this.#traces.hasDone('cache', key)) this.#traces.asked({ kind, args: [key] }, () => cache.answer(key))
  }

  /** Records that code calls a Puppet 3 function within Ruby. */
  #runs(name: string): void {
    const file = this.#session.surroundings.legacyFunction(name)
    const code = this.#running.at(-1)?.call.code
    if (file === undefined || !code) this.#traces.spoil(`calls ${name}`)
    else if (!code.files.has(file)) {
      code.files.add(file)
      code.judgedAt = -1
    }
  }

  /** Records a read of a path other than code. Skips directories: Ruby checks all parent directories of its code files. */
  #looksBeside({ kind, path }: InputRead): void {
    if (kind === 'folder') this.base.looksBeside(`${path}/`)
    else if (kind === 'path' && this.#session.surroundings.pathAnswer(path) !== 'directory') this.base.looksBeside(path)
  }

  #loads(file: string): void {
    const { base } = this
    base.loaded++
    this.#session.loaded(file)
    this.#running.at(-1)?.call.code?.loads.add(file)
    const stretch = this.#stretches.at(-1)
    if (stretch) stretch.code.push(file)
    else base.loads(file)
  }

  #getCache(owner: number): ContextCache {
    const cache = this.#caches.get(owner) ?? new ContextCache()
    this.#caches.set(owner, cache)
    return cache
  }

  #differs({ call: { code, context }, key }: CallWork): void {
    code!.forbid('a different result on recomputation')
    const message = `A cached Ruby result differs from its recomputation and is no longer cached: ${key}`
    context.host.log('err', message, context.scope, context.span)
  }
}

/** Returns a query that cannot be repeated; `kind` describes it in reasons, and is no kind of `traceQuestions`. */
function createUnrepeatable(kind: string): TraceQuestion {
  return { kind, args: [] }
}

function estimateOutcomeSize({ result, effects }: TraceOutcome<Json>): number {
  return 2 * (JSON.stringify(result).length + (effects.length === 0 ? 0 : JSON.stringify(effects).length))
}
