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
  /** Called after the code ran. Returns true if the code has no state other than its queries and effects. */
  mayRemember(): boolean
  /**
   * Called when the work is finished or failed; `isSound` is true if its queries and effects are
   * complete.
   */
  ended?(isSound: boolean): void
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
  isQuiet: boolean
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

  /** Finds the reply to a query that may run other work. */
  asking<Answer>(question: TraceQuestion, find: () => Answer): Answer {
    if (this.#frames.length === 0) return find()
    const guard: Guard = { isQuiet: true }
    this.#frames.push(guard)
    const depth = this.#frames.length
    try {
      return find()
    } catch (error) {
      guard.isQuiet = false
      throw error
    } finally {
      this.#frames.length = depth - 1
      if (!guard.isQuiet) this.spoil(`uses ${question.kind}, which has side effects`)
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
      const given = reenters ? this.#apart(() => answer(asker, args)) : answer(asker, args)
      return given === undefined ? undefined : shortenAnswer(given)
    })
    return known?.effects.every(({ kind, args }) => effects[kind]!.possible(asker, args)) ? known : undefined
  }

  /** Runs a query for the cache itself; its reads are not recorded. */
  #apart<Answer>(ask: () => Answer): Answer {
    const depth = this.#frames.push({ isQuiet: true })
    try {
      return ask()
    } finally {
      this.#frames.length = depth - 1
    }
  }

  #make(work: TracedWork<Asker, Result>): Result {
    const recorder = new TraceRecorder(work.roles)
    const depth = this.#frames.push(recorder)
    let isSound = false
    try {
      const result = work.make()
      isSound = recorder.spoilt === undefined && work.key !== undefined && work.mayRemember()
      if (isSound) this.#remember(work.key!, recorder, result)
      return result
    } finally {
      this.#frames.length = depth - 1
      work.ended?.(isSound)
      if (!isSound || !recorder.isQuiet) this.spoil('runs a function with side effects')
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
