import type { Json } from '../../../base/json/json-checks.ts'
import type { Value } from '../../../language/values/value.ts'
import { Traces } from '../../trace/trace-engine.ts'
import type { TraceQuestion } from '../../trace/trace-question.ts'
import { shortenAnswer } from '../../trace/trace-step.ts'
import type { InputRead } from '../../vm/ruby-engine.ts'
import type { ObservedCall, RubySession } from '../session.ts'
import { effects, hasObjectAddress, hasObjectNumbers } from './call-effects.ts'
import { callMemory, estimateOutcomeSize } from './call-memory.ts'
import { CodeLoading } from './code-loading.ts'
import { judgeCode } from './code-verdict.ts'
import { ContextCache } from './context-cache.ts'
import { LateCalls } from './late-calls.ts'
import type { CallWork, RubyCall } from './ruby-call.ts'
import { type Asker, codeQuestions, ownScope, topScope, traceQuestions } from './trace-questions.ts'
import { type CodeBase, getCodeBase, type TracedCode } from './traced-code.ts'

/**
 * Traces the Ruby calls of one catalog. A call returns a recorded result if Ruby would send the same queries and
 * get the same replies; otherwise it runs and is recorded. With `checkEvery`, every Nth recalled call is computed
 * again and compared; `undefined` disables recall.
 */
export class TracedCalls {
  readonly #session: RubySession
  readonly #traces: Traces<Asker, Json>
  readonly #caches = new Map<number, ContextCache>()
  /** Code whose files have been recorded as inputs of the catalog. */
  readonly #used = new Set<TracedCode>()
  /** Running calls, the innermost last. */
  readonly #running: CallWork[] = []
  /** Variables that exist only in Ruby, or would exist there if a recalled call had run; values are `SCOPE NAME`. */
  readonly #ownVariables = new Set<string>()
  readonly #late = new LateCalls()
  readonly #loading: CodeLoading
  #isOff: boolean
  #base: CodeBase | undefined

  constructor(session: RubySession, checkEvery: number | undefined) {
    this.#session = session
    this.#loading = new CodeLoading(session.surroundings, () => this.base)
    this.#isOff = checkEvery === undefined
    this.#traces = new Traces({
      questions: traceQuestions,
      effects,
      memory: callMemory,
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

  /** The inputs that Ruby reads while it loads code. */
  get loading(): CodeLoading {
    return this.#loading
  }

  /** This thread's knowledge of all Ruby code in the environment. */
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
      // A recalled call does not read the files of its code, so their reads are recorded here.
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
    for (const work of this.#late.take(scope)) this.#repeat(work)
  }

  /** Runs a recalled call. Its queries do not belong to the running call. */
  #repeat(work: CallWork): void {
    this.#running.push(work)
    const depth = this.#running.length
    try {
      this.#traces.apart(() => work.call.make())
    } finally {
      this.#running.length = depth - 1
      for (const each of work.sights.splice(0)) this.#session.surroundings.saw(each, true)
      this.#observe(work.call, { isRecalled: false, reason: 'sets variables that Ruby reads' })
    }
  }

  /** Finds and records the reply to a query from Ruby. `hasObjectNumbers`: the reply is valid for one catalog only. */
  answer(
    name: string,
    args: readonly Json[],
    find: () => { readonly answer: Json; readonly isNumbered: boolean },
  ): Json {
    if (this.#isOff) return find().answer
    this.#loading.disturb()
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

  /**
   * Records the read of an input. Returns true if it belongs to a recorded call, which reports the read to the
   * session at its end.
   */
  looked(sight: InputRead): boolean {
    const { kind, path, isRead } = sight
    const { surroundings } = this.#session
    const code = kind === 'path' ? surroundings.codeAt(path) : undefined
    const isOfLib = code !== undefined
    const isCode = isOfLib || (kind === 'path' && path.endsWith('.rb'))
    this.#loading.noteInput(sight, { code, isCode })
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
    if (answer !== 'directory') this.#loading.disturb()
    this.#traces.asked({ kind, args }, () => answer)
    work?.sights.push(sight)
    return work !== undefined
  }

  /** Handles notes that Ruby sent about a running call. */
  noted(notes: readonly Json[]): void {
    if (this.#isOff) return
    const [, ...each] = notes
    for (const note of each) this.#note((note as readonly Json[]).slice(1))
  }

  /** Drops all running calls after the machine was abandoned. */
  abandon(): void {
    this.#traces.abandon()
    this.#running.length = 0
    this.#loading.abandon()
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
    const besideCount = this.base.beside?.size ?? 0
    const key = obstacle === undefined ? this.#computeKey(code!, args, scope) : undefined
    const work: CallWork = {
      call,
      key,
      asker: { session: this.#session, context, scope, lookup, makeLater: (options) => this.#late.add(work, options) },
      roles: (number) => (number === scope ? ownScope : number === 0 ? topScope : undefined),
      sights: [],
      hasLoaded: false,
      make: () => this.#make(work),
      findObstacle: () => obstacle ?? this.#findObstacleAfter(code!, key, besideCount),
      assigned: new Set(),
      joined: () => this.#joined(work),
      recalled: () => this.#observe(call, { isRecalled: true, reason: undefined }),
      ended: (reason) => this.#ended(work, reason),
    }
    return work
  }

  /** Returns the reason why calls of the code cannot be recalled now; `undefined` if they can be. */
  #findObstacle(code: TracedCode | undefined): string | undefined {
    if (!code) return 'is not in a file of UTF-8 text'
    return code.reason ?? (this.#session.hasLoaded(code.loads) ? undefined : 'has not been loaded yet')
  }

  /**
   * Returns why a call that was made is not recalled. Records the effect of its code, and that it depends on the paths that
   * machines had read while loading code when it began.
   */
  #findObstacleAfter(code: TracedCode, key: string | undefined, besideCount: number): string | undefined {
    if (key === undefined) return 'has arguments of this catalog only'
    const reason = this.#judged(code)
    if (besideCount > 0)
      this.#traces.asked({ kind: 'beside', args: [besideCount] }, () => this.#loading.hashPathsBeside(besideCount))
    if (code.verdict!.templateMethods.size > 0) this.#traces.did('define', [])
    return reason
  }

  /** Calls at the top scope have separate keys, because there the call's own scope and the top scope are the same. */
  #computeKey({ key }: TracedCode, args: readonly Value[], scope: number): string | undefined {
    let text = ''
    for (const each of args) {
      const said = this.#session.toComparableJson(each)
      if (said === undefined) return undefined
      text += said
    }
    return `${key} ${scope === 0 ? 'top' : ''} ${shortenAnswer(text)}`
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

  /**
   * Reports the inputs that a finished call has read. Ruby may have cached them if the call loaded code or cannot
   * be recalled.
   */
  #ended({ call, sights, hasLoaded }: CallWork, reason: string | undefined): void {
    const { surroundings } = this.#session
    for (const each of sights) surroundings.saw(each, hasLoaded || reason !== undefined)
    this.#observe(call, { isRecalled: false, reason })
  }

  /** Adds the inputs and the code of a call to the enclosing call, of which it was recorded as a part. */
  #joined({ call, asker, sights, hasLoaded }: CallWork): [TraceQuestion, string | undefined][] {
    const outer = this.#running.at(-1)!
    outer.sights.push(...sights)
    outer.hasLoaded ||= hasLoaded
    outer.call.code?.includes(call.code!)
    this.#observe(call, { isRecalled: false, reason: undefined })
    return (call.identifiedBy ?? []).map((each) => [each, traceQuestions[each.kind]!.answer(asker, each.args)])
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
   * Records that Ruby sets or reads a variable that exists only in Ruby. A template may read, and modify in place,
   * variables set by the template that renders it; it is then recorded as a part of that template.
   */
  #ownVariable([scope = null, name = null, isSet]: readonly Json[]): void {
    this.addOwnVariable(scope as number, String(name))
    if (isSet === true) return
    const setter = this.#running.findLastIndex(
      ({ asker, assigned }) => asker.scope === scope && assigned.has(String(name)),
    )
    const readers = this.#running.slice(setter + 1)
    const isPart = ({ asker, call }: CallWork) => asker.scope === scope && call.code?.text !== undefined
    const isShared = setter !== -1 && readers.every(isPart)
    if (readers.length > 0 && !(isShared && this.#traces.join(readers.length)))
      this.#traces.spoil('reads a variable stored in Ruby')
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

  #loads(file: string): void {
    const { base } = this
    base.loaded++
    this.#session.loaded(file)
    this.#running.at(-1)?.call.code?.loads.add(file)
    this.#loading.loads(file)
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
