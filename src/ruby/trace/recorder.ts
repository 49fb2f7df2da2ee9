import type { Json } from '../../base/json/wire.ts'
import type { Effect, Question, QuestionKind, Roles } from './question.ts'
import { type Step, shortened } from './step.ts'

/** The trace of one piece of work while it runs: its questions and its effects. */
export class Recorder {
  readonly #roles: Roles
  readonly #steps = new Map<string, Step>()
  readonly #effects: Effect[] = []
  #spoilt: string | undefined

  constructor(roles: Roles) {
    this.#roles = roles
  }

  /** In the order in which they were asked, each once. */
  get steps(): readonly Step[] {
    return [...this.#steps.values()]
  }

  get effects(): readonly Effect[] {
    return this.#effects
  }

  /** Why the trace cannot stand for the work another time; `undefined` while it can. */
  get spoilt(): string | undefined {
    return this.#spoilt
  }

  /** True for work without effects and without a spoilt trace: only its result is seen from outside. */
  get isQuiet(): boolean {
    return this.#spoilt === undefined && this.#effects.length === 0
  }

  /** `kind` is `undefined` where nobody knows such questions; `answer` where it cannot be compared with another one. */
  asked<Asker>(question: Question, kind: QuestionKind<Asker> | undefined, answer: string | undefined): void {
    const given = kind?.aboutScope ? this.#withRole(question.args) : question.args
    if (answer === undefined || !kind?.repeatable(question.args)) this.spoil(`asks ${question.kind}`)
    else if (!given) this.spoil(`asks ${question.kind} of another scope`)
    else {
      const key = `${question.kind} ${JSON.stringify(given)}`
      if (this.#steps.has(key)) return
      this.#steps.set(key, { question: { kind: question.kind, args: given }, answer: shortened(answer) })
    }
  }

  did(effect: Effect): void {
    this.#effects.push(effect)
  }

  spoil(reason: string): void {
    this.#spoilt ??= reason
  }

  #withRole([scope = null, ...rest]: readonly Json[]): readonly Json[] | undefined {
    const role = this.#roles(scope)
    return role === undefined ? undefined : [role, ...rest]
  }
}
