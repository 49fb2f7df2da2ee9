import type { Json } from '../../base/json/json-checks.ts'
import type { QuestionKind, Roles, TraceEffect, TraceQuestion } from './trace-question.ts'
import { shortenAnswer, type TraceStep } from './trace-step.ts'

/** Records the queries and effects of a running evaluation. */
export class TraceRecorder {
  readonly #roles: Roles
  readonly #steps = new Map<string, TraceStep>()
  readonly #effects: TraceEffect[] = []
  #spoilt: string | undefined
  /** True for an evaluation that is recorded as a part of the enclosing evaluation, and has no trace of its own. */
  isJoined = false

  constructor(roles: Roles) {
    this.#roles = roles
  }

  /** Queries in the order of their first occurrence. */
  get steps(): readonly TraceStep[] {
    return [...this.#steps.values()]
  }

  get effects(): readonly TraceEffect[] {
    return this.#effects
  }

  /** Reason why the trace cannot be recalled; `undefined` while it can. */
  get spoilt(): string | undefined {
    return this.#spoilt
  }

  /** True if the evaluation has no side effects, and its trace can be recalled. */
  get isQuiet(): boolean {
    return this.#spoilt === undefined && this.#effects.length === 0
  }

  /**
   * Records a query. `kind` is `undefined` for an unknown query; `answer` is `undefined` if the reply cannot be
   * compared.
   */
  asked<Asker>(question: TraceQuestion, kind: QuestionKind<Asker> | undefined, answer: string | undefined): void {
    const given = kind?.aboutScope ? this.#withRole(question.args) : question.args
    if (answer === undefined || !kind?.repeatable(question.args)) this.spoil(`asks ${question.kind}`)
    else if (!given) this.spoil(`uses ${question.kind} of another scope`)
    else this.#add({ question: { kind: question.kind, args: given }, answer: shortenAnswer(answer) })
  }

  #add(step: TraceStep): void {
    const key = `${step.question.kind} ${JSON.stringify(step.question.args)}`
    if (!this.#steps.has(key)) this.#steps.set(key, step)
  }

  did(effect: TraceEffect): void {
    this.#effects.push(effect)
  }

  /** Adds the queries and effects of an inner evaluation. */
  add({ steps, effects }: TraceRecorder): void {
    for (const step of steps) this.#add(step)
    this.#effects.push(...effects)
  }

  spoil(reason: string): void {
    this.#spoilt ??= reason
  }

  #withRole([scope = null, ...rest]: readonly Json[]): readonly Json[] | undefined {
    const role = this.#roles(scope)
    return role === undefined ? undefined : [role, ...rest]
  }
}
