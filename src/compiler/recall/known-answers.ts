import { budgets } from '../../base/budgets/budgets.ts'
import { growingLru } from '../../base/growing-lru.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type Step, shortened } from '../../ruby/trace/step.ts'
import { questions, type Wanted } from './questions.ts'

/**
 * Cached answers to questions about code in one environment, or shared by several: many nodes ask,
 * the answer is computed once.
 */
export class KnownAnswers {
  /** By kind and arguments; false for a question without an answer. */
  readonly #answers = growingLru<string | false>(budgets.environment.knownAnswers.bound)
  /** By group name: true if all answers of the group are unchanged. */
  readonly #groups = growingLru<boolean>(budgets.environment.knownGroups.bound)

  /** True if the answers of a group are unchanged; `undefined` if not known yet. */
  groupHolds(name: string): boolean | undefined {
    return this.#groups.get(name)
  }

  /** True if the answers of all steps are unchanged; cached under the group's name. */
  hold(name: string, steps: readonly Step[], wanted: readonly Wanted[]): boolean {
    const holds = steps.every(({ question, answer }) => this.#answerTo(question, wanted) === answer)
    this.#groups.set(name, holds)
    return holds
  }

  #answerTo(question: Step['question'], wanted: readonly Wanted[]): string | false {
    const key = JSON.stringify(question)
    const known = this.#answers.get(key) ?? answerTo(question, wanted) ?? false
    this.#answers.set(key, known)
    return known
  }
}

/** The answer in the form of traces, if it is the same for all requests; otherwise `undefined`. */
function answerTo({ kind, args }: Step['question'], wanted: readonly Wanted[]): string | undefined {
  const [first, ...others] = wanted.map((each) => questions[kind]?.answer(each, args))
  return first === undefined || others.some((each) => each !== first) ? undefined : shortened(first)
}

/** True if the answers of all steps are unchanged. */
export function areAnswered(steps: readonly Step[], wanted: readonly Wanted[]): boolean {
  return steps.every(({ question, answer }) => answerTo(question, wanted) === answer)
}

/** Cached answers by environments. */
export class AnswersByCode {
  readonly #known = new WeakMap<CompileEnvironment, Known[]>()

  /** Cached answers shared by these environments. */
  of(environments: readonly CompileEnvironment[]): KnownAnswers {
    const [last, ...others] = environments as readonly [CompileEnvironment, ...CompileEnvironment[]]
    const known = this.#known.get(last) ?? []
    const isMeant = (each: Known) =>
      each.others.length === others.length && others.every((one, index) => each.others[index]?.deref() === one)
    const found = known.find(isMeant) ?? {
      others: others.map((each) => new WeakRef(each)),
      answers: new KnownAnswers(),
    }
    this.#known.set(last, [found, ...known.filter((each) => each !== found)].slice(0, mostOthers))
    return found.answers
  }
}

interface Known {
  readonly others: readonly WeakRef<CompileEnvironment>[]
  readonly answers: KnownAnswers
}

/** Maximum number of environments compared with one: alone, and with the results of a push or two. */
const mostOthers = 3
