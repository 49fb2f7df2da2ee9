import type { Json } from '../../base/json/wire.ts'
import type { Memory, Outcome } from './memory.ts'
import type { EffectKinds, Question, QuestionKinds, Roles } from './question.ts'
import { Recorder } from './recorder.ts'
import { shortened } from './step.ts'

/** A piece of work: a function of its key, and of what it asks. */
export interface Work<Asker, Result> {
  /** Names the code and its arguments; `undefined` for work that is never remembered. */
  readonly key: string | undefined
  readonly asker: Asker
  readonly roles: Roles
  make(): Result
  /** True for code that reads and keeps nothing but its questions and effects, as far as is known after it ran. */
  mayRemember(): boolean
  /** Told when the work is done, or failed; `isSound` where its questions and effects are all there is of it. */
  ended?(isSound: boolean): void
}

/** The parts of an engine: its tables, its memory, and the comparison of results. */
export interface TraceOptions<Asker, Result> {
  readonly questions: QuestionKinds<Asker>
  readonly effects: EffectKinds<Asker>
  readonly memory: Memory<Result>
  /** About what an outcome takes, in bytes. */
  sizeOf(outcome: Outcome<Result>): number
  isSame(one: Result, other: Result): boolean
  /** Recalled results per check, in which a result is made again and compared; 0 for no checks. */
  readonly checkEvery: number
  /** Told when a result that was made again is another one than that which was recalled. */
  differs(work: Work<Asker, Result>, recalled: Result, made: Result): void
}

/** A frame for what runs while a question is answered. */
interface Guard {
  isQuiet: boolean
}

/**
 * The engine: does work, or recalls what came of it. Work may ask for other work; the traces of both stand alone, and the
 * outer one has the inner one's result as the answer to a question.
 */
export class Traces<Asker, Result> {
  readonly #options: TraceOptions<Asker, Result>
  /** The innermost last. */
  readonly #frames: (Recorder | Guard)[] = []
  #recalled = 0

  constructor(options: TraceOptions<Asker, Result>) {
    this.#options = options
  }

  /** True while recorded work runs, or work within it. */
  get isNested(): boolean {
    return this.#frames.length > 0
  }

  /** True while what is asked is recorded for the work that runs. */
  get isRecording(): boolean {
    return this.#frames.at(-1) instanceof Recorder
  }

  /** The result of work, recalled or made. */
  result(work: Work<Asker, Result>): Result {
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

  /** True for a kind of question that has to be announced with `asking`. */
  isReentering(kind: string): boolean {
    return this.#options.questions[kind]?.reenters === true
  }

  /** Finds the answer to a question that may lead to other work. */
  asking<Answer>(question: Question, find: () => Answer): Answer {
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
      if (!guard.isQuiet) this.spoil(`asks ${question.kind}, which does more than to answer`)
    }
  }

  /** Notes a question of the work that runs, and its answer. */
  asked(question: Question, answer: () => string | undefined): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof Recorder) {
      if (frame.spoilt === undefined) frame.asked(question, this.#options.questions[question.kind], answer())
    } else if (frame && !this.#options.questions[question.kind]) frame.isQuiet = false
  }

  /** Notes something that the work does. */
  did(kind: string, args: Question['args']): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof Recorder) frame.did({ kind, args })
    else if (frame) frame.isQuiet = false
  }

  /** True for running work that had an effect of this kind, with this first argument. */
  hasDone(kind: string, first: Json): boolean {
    const frame = this.#frames.at(-1)
    if (!(frame instanceof Recorder)) return false
    return frame.effects.some((effect) => effect.kind === kind && effect.args[0] === first)
  }

  /** Keeps the work that runs now from being remembered. */
  spoil(reason: string): void {
    const frame = this.#frames.at(-1)
    if (frame instanceof Recorder) frame.spoil(reason)
    else if (frame) frame.isQuiet = false
  }

  /** All that ran was dropped in the middle. */
  abandon(): void {
    this.#frames.length = 0
  }

  #recall(work: Work<Asker, Result>): Outcome<Result> | undefined {
    const { key, asker } = work
    if (key === undefined) return undefined
    const { memory, questions, effects } = this.#options
    const known = memory.recall(key, ({ kind, args }) => {
      const { answer, reenters } = questions[kind]!
      const given = reenters ? this.#apart(() => answer(asker, args)) : answer(asker, args)
      return given === undefined ? undefined : shortened(given)
    })
    return known?.effects.every(({ kind, args }) => effects[kind]!.possible(asker, args)) ? known : undefined
  }

  /** Asks for the sake of remembering: what that reads is nobody's. */
  #apart<Answer>(ask: () => Answer): Answer {
    const depth = this.#frames.push({ isQuiet: true })
    try {
      return ask()
    } finally {
      this.#frames.length = depth - 1
    }
  }

  #make(work: Work<Asker, Result>): Result {
    const recorder = new Recorder(work.roles)
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
      if (!isSound || !recorder.isQuiet) this.spoil('runs what does more than to answer')
    }
  }

  #remember(key: string, { steps, effects }: Recorder, result: Result): void {
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
