import type { Json } from '../../base/json/json-checks.ts'
import type { TraceMemory, TraceOutcome } from './trace-memory.ts'
import type { EffectKinds, QuestionKinds, Roles, TraceQuestion } from './trace-question.ts'
import { TraceRecorder } from './trace-recorder.ts'
import { shortenAnswer } from './trace-step.ts'

/** A unit of work: a function of its key and its queries. */
export interface TracedWork<Asker, Result> {
  /** Digest of code and arguments; `undefined` for work that is never cached. */
  readonly key: string | undefined
  readonly asker: Asker
  readonly roles: Roles
  make(): Result
  /**
   * Called after the work. Returns why its trace must not be stored, such as state besides its queries and effects;
   * `undefined` if it may be stored.
   */
  findObstacle(): string | undefined
  /** Called when the work was recalled. */
  recalled?(): void
  /**
   * Called when the work is finished or failed. `reason` states why its trace is not stored; `undefined` if it is stored.
   */
  ended?(reason: string | undefined): void
  /**
   * Called instead if the work was joined to the enclosing work; see `Traces.join`. Returns further queries of the enclosing
   * work, with their replies, which determine the key.
   */
  joined?(): readonly (readonly [question: TraceQuestion, answer: string | undefined])[]
}

/** Options of an engine: tables, memory, and comparison of results. */
export interface TraceOptions<Asker, Result> {
  readonly questions: QuestionKinds<Asker>
  readonly effects: EffectKinds<Asker>
  readonly memory: TraceMemory<Result>
  /** Returns the approximate size of an outcome in bytes. */
  sizeOf(outcome: TraceOutcome<Result>): number
  isSame(one: Result, other: Result): boolean
  /** Every Nth recalled result is computed again and compared; 0 for no comparison. */
  readonly checkEvery: number
  /** Called if a repeated result differs from the recalled one. */
  differs(work: TracedWork<Asker, Result>, recalled: Result, made: Result): void
}

/** A frame for work that runs while a query is answered. */
interface Guard {
  /** True for work apart from the enclosing work, which records nothing of it. */
  readonly isApart: boolean
  isQuiet: boolean
  /** True if the work that ran is a part of the enclosing work. */
  isJoined: boolean
}

/**
 * The engine: runs work, or recalls its outcome. Work may run nested work; both have separate
 * traces, and the inner result is the reply to a query in the outer trace.
 */
export class Traces<Asker, Result> {
  readonly #options: TraceOptions<Asker, Result>
  /** Frames, the innermost last. */
  readonly #frames: (TraceRecorder | Guard)[] = []
  #recalled = 0

  constructor(options: TraceOptions<Asker, Result>) {
    this.#options = options
  }

  /** True while recorded work or its nested work runs. */
  get isNested(): boolean {
    return this.#frames.length > 0
  }

  /** True while queries are recorded for the running work. */
  get isRecording(): boolean {
    return this.#frames.at(-1) instanceof TraceRecorder
  }

  /** Returns the result of work, recalled or computed. */
  result(work: TracedWork<Asker, Result>): Result {
    const known = this.#recall(work)
    if (!known) return this.#make(work)
    if (!this.#isToBeChecked()) {
      for (const { kind, args } of known.effects) this.#options.effects[kind]!.again(work.asker, args)
      if (known.effects.length > 0) this.spoil('has effects')
      work.recalled?.()
      return known.result
    }
    const made = this.#make(work)
    if (!this.#options.isSame(known.result, made)) {
      this.#options.memory.forget(work.key!)
      this.#options.differs(work, known.result, made)
    }
    return made
  }

  /** Returns true for a kind of query that has to be announced with `asking`. */
  isReentering(kind: string): boolean {
    return this.#options.questions[kind]?.reenters === true
  }

  /**
   * Finds the reply to a query that may run other work, and records it unless that work is joined. `toText` returns
   * `undefined` for an incomparable reply; without `toText`, the reply is not recorded.
   */
  asking<Answer>(question: TraceQuestion, find: () => Answer, toText?: (answer: Answer) => string | undefined): Answer {
    if (this.#frames.length === 0) return find()
    const guard: Guard = { isApart: false, isQuiet: true, isJoined: false }
    this.#frames.push(guard)
    const depth = this.#frames.length
    let answer: Answer
    try {
      answer = find()
    } catch (error) {
      guard.isQuiet = false
      throw error
    } finally {
      this.#frames.length = depth - 1
      if (!guard.isQuiet) this.spoil(`uses ${question.kind}, which has side effects`)
    }
    if (toText && !guard.isJoined) this.asked(question, () => toText(answer))
    return answer
  }

  /**
   * Records the innermost `count` works as parts of the work that encloses them: their queries and effects become its own,
   * and the queries that ran them are not recorded. For works that share an object with the enclosing work, so that their
   * results are not functions of their queries alone. Returns false if no work encloses them, or one of them runs apart.
   */
  join(count: number): boolean {
    const recorders: TraceRecorder[] = []
    for (const frame of this.#frames.toReversed()) {
      if (!(frame instanceof TraceRecorder)) {
        if (frame.isApart) return false
      } else if (recorders.length < count) recorders.push(frame)
      else {
        for (const each of recorders) each.isJoined = true
        return true
      }
    }
    return false
  }

  /**
   * Runs work that has nothing to do with the running work: a query for the cache itself, or recalled work whose effects are
   * due. `isQuiet` is true if the result is its only outcome.
   */
  apart<Answer>(run: () => Answer): { readonly answer: Answer; readonly isQuiet: boolean } {
    const guard: Guard = { isApart: true, isQuiet: true, isJoined: false }
    const depth = this.#frames.push(guard)
    try {
      const answer = run()
      return { answer, isQuiet: guard.isQuiet }
    } finally {
      this.#frames.length = depth - 1
    }
  }

  /** Records a query of the running work, and its reply. */
  asked(question: TraceQuestion, answer: () => string | undefined): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) {
      if (frame.spoilt === undefined) frame.asked(question, this.#options.questions[question.kind], answer())
    } else if (frame && !this.#options.questions[question.kind]) frame.isQuiet = false
  }

  /** Records an effect of the running work. */
  did(kind: string, args: TraceQuestion['args']): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) frame.did({ kind, args })
    else if (frame) frame.isQuiet = false
  }

  /** Returns true if the running work had an effect of this kind with this first argument. */
  hasDone(kind: string, first: Json): boolean {
    const frame = this.#frames.at(-1)
    if (!(frame instanceof TraceRecorder)) return false
    return frame.effects.some((effect) => effect.kind === kind && effect.args[0] === first)
  }

  /** Prevents caching of the running work. */
  spoil(reason: string): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) frame.spoil(reason)
    else if (frame) frame.isQuiet = false
  }

  /** Drops all running work after an abort. */
  abandon(): void {
    this.#frames.length = 0
  }

  #recall(work: TracedWork<Asker, Result>): TraceOutcome<Result> | undefined {
    const { key, asker } = work
    if (key === undefined) return undefined
    const { memory, questions, effects } = this.#options
    const known = memory.recall(key, ({ kind, args }) => {
      const { answer, reenters } = questions[kind]!
      const given = reenters ? this.#answerQuietly(() => answer(asker, args)) : answer(asker, args)
      return given === undefined ? undefined : shortenAnswer(given)
    })
    return known?.effects.every(({ kind, args }) => effects[kind]!.possible(asker, args)) ? known : undefined
  }

  #answerQuietly(find: () => string | undefined): string | undefined {
    const { answer, isQuiet } = this.apart(find)
    return isQuiet ? answer : undefined
  }

  #make(work: TracedWork<Asker, Result>): Result {
    const recorder = new TraceRecorder(work.roles)
    const depth = this.#frames.push(recorder)
    let reason: string | undefined = 'fails'
    try {
      const result = work.make()
      reason = recorder.spoilt ?? work.findObstacle() ?? (work.key === undefined ? 'has no key' : undefined)
      if (reason === undefined && !recorder.isJoined) this.#remember(work.key!, recorder, result)
      return result
    } finally {
      this.#frames.length = depth - 1
      if (reason === undefined && recorder.isJoined) this.#addToOuter(work, recorder)
      else {
        work.ended?.(reason)
        if (reason !== undefined || !recorder.isQuiet) this.spoil('runs a function with side effects')
      }
    }
  }

  /** Adds joined work to the enclosing work. Between the two are only the frames of the queries that led from one to the other. */
  #addToOuter(work: TracedWork<Asker, Result>, recorder: TraceRecorder): void {
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      const frame = this.#frames[at]!
      if (frame instanceof TraceRecorder) {
        for (const [question, answer] of work.joined?.() ?? [])
          frame.asked(question, this.#options.questions[question.kind], answer)
        frame.add(recorder)
        return
      }
      frame.isJoined = true
    }
  }

  #remember(key: string, { steps, effects }: TraceRecorder, result: Result): void {
    const { memory, sizeOf } = this.#options
    const outcome = { result, effects }
    memory.remember(key, steps, outcome, sizeOf(outcome))
  }

  #isToBeChecked(): boolean {
    const { checkEvery } = this.#options
    this.#recalled++
    return checkEvery > 0 && this.#recalled % checkEvery === 0
  }
}
