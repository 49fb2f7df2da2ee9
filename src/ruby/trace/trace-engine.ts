import type { Json } from '../../base/json/json-checks.ts'
import type { TraceMemory, TraceOutcome } from './trace-memory.ts'
import type { EffectKinds, QuestionKinds, Roles, TraceQuestion } from './trace-question.ts'
import { TraceRecorder } from './trace-recorder.ts'
import { shortenAnswer } from './trace-step.ts'

/** An evaluation that can be traced. Its result depends only on its key and on the replies to its queries. */
export interface TracedWork<Asker, Result> {
  /** Digest of code and arguments; `undefined` for an evaluation that is never cached. */
  readonly key: string | undefined
  readonly asker: Asker
  readonly roles: Roles
  make(): Result
  /**
   * Called after the evaluation. Returns the reason why its trace must not be stored, such as a dependency on state
   * that no query covers; `undefined` if it may be stored.
   */
  findObstacle(): string | undefined
  /** Called if the result was recalled. */
  recalled?(): void
  /**
   * Called when the evaluation has finished or failed. `reason` states why its trace is not stored; `undefined` if
   * it is stored.
   */
  ended?(reason: string | undefined): void
  /**
   * Called instead of `ended` if the evaluation was joined to the enclosing evaluation; see `Traces.join`. Returns
   * queries that the enclosing evaluation must also record, with their replies, since they determine the key.
   */
  joined?(): readonly (readonly [question: TraceQuestion, answer: string | undefined])[]
}

/** Options of a trace engine: kinds of queries and effects, memory for traces, and comparison of results. */
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

/** The frame of a query whose reply may run other evaluations. */
interface Guard {
  /** True if evaluations in this frame are independent of the enclosing evaluation, which does not record them. */
  readonly isApart: boolean
  isQuiet: boolean
  /** True if an evaluation in this frame was joined to the enclosing evaluation. */
  isJoined: boolean
}

/**
 * The trace engine: runs evaluations, or recalls their outcomes. Evaluations may be nested. Each has its own trace;
 * in the outer trace, the result of the inner evaluation is the reply to a query.
 */
export class Traces<Asker, Result> {
  readonly #options: TraceOptions<Asker, Result>
  /** Frames, the innermost last. */
  readonly #frames: (TraceRecorder | Guard)[] = []
  #recalled = 0

  constructor(options: TraceOptions<Asker, Result>) {
    this.#options = options
  }

  /** True while a traced evaluation, or an evaluation nested in it, is running. */
  get isNested(): boolean {
    return this.#frames.length > 0
  }

  /** True while the queries of the running evaluation are recorded. */
  get isRecording(): boolean {
    return this.#frames.at(-1) instanceof TraceRecorder
  }

  /** Returns the result of an evaluation, recalled or computed. */
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

  /**
   * Returns true for a kind of query that must be sent through `asking`, since its reply may run other evaluations.
   */
  isReentering(kind: string): boolean {
    return this.#options.questions[kind]?.reenters === true
  }

  /**
   * Finds the reply to a query that may run other evaluations, and records the reply unless such an evaluation was
   * joined. `toText` returns `undefined` for a reply that cannot be compared.
   */
  asking<Answer>(question: TraceQuestion, find: () => Answer, toText: (answer: Answer) => string | undefined): Answer {
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
    if (!guard.isJoined) this.asked(question, () => toText(answer))
    return answer
  }

  /**
   * Records the innermost `count` evaluations as parts of the evaluation that encloses them: their queries and
   * effects become its own, and the queries that started them are not recorded. Used for evaluations that share an
   * object with the enclosing evaluation, so that their results do not depend on their queries alone. Returns false
   * if no evaluation encloses them, or if one of them runs apart.
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
   * Runs code that is independent of the running evaluation: a query for the cache itself, or a recalled evaluation
   * whose effects are now needed. `isQuiet` is true if `run` had no side effects.
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

  /** Records a query of the running evaluation, and its reply. */
  asked(question: TraceQuestion, answer: () => string | undefined): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) {
      if (frame.spoilt === undefined) frame.asked(question, this.#options.questions[question.kind], answer())
    } else if (frame && !this.#options.questions[question.kind]) frame.isQuiet = false
  }

  /** Records a side effect of the running evaluation. */
  did(kind: string, args: TraceQuestion['args']): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) frame.did({ kind, args })
    else if (frame) frame.isQuiet = false
  }

  /** Returns true if the running evaluation had an effect of this kind with this first argument. */
  hasDone(kind: string, first: Json): boolean {
    const frame = this.#frames.at(-1)
    if (!(frame instanceof TraceRecorder)) return false
    return frame.effects.some((effect) => effect.kind === kind && effect.args[0] === first)
  }

  /** Prevents caching of the running evaluation. */
  spoil(reason: string): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof TraceRecorder) frame.spoil(reason)
    else if (frame) frame.isQuiet = false
  }

  /** Drops all running evaluations after an abort. */
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

  /**
   * Adds a joined evaluation to the enclosing evaluation. The frames between the two belong to the queries that led
   * from one to the other.
   */
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
