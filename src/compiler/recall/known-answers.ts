import { budgets } from '../../base/budgets/budgets.ts'
import { growingLru } from '../../base/growing-lru.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type Step, shortened } from '../../ruby/trace/step.ts'
import { questions, type Wanted } from './questions.ts'

/** The answers to questions about code in an environment, or those that some have in common: asked by many nodes, answered once. */
export class KnownAnswers {
  /** By kind and arguments; false of a question without one. */
  readonly #answers = growingLru<string | false>(budgets.environment.knownAnswers.bound)
  /** By the names of groups: whether all of them are answered as they were. */
  readonly #groups = growingLru<boolean>(budgets.environment.knownGroups.bound)

  /** True where the questions of a group are answered as they were, as far as that is known. */
  groupHolds(name: string): boolean | undefined {
    return this.#groups.get(name)
  }

  /** True where all of them are answered as they were; kept by the name of their group. */
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

/** The answer as traces have it, the same for all that are wanted; `undefined` where there is none. */
function answerTo({ kind, args }: Step['question'], wanted: readonly Wanted[]): string | undefined {
  const [first, ...others] = wanted.map((each) => questions[kind]?.answer(each, args))
  return first === undefined || others.some((each) => each !== first) ? undefined : shortened(first)
}

/** True where all of these questions are answered as they were. */
export function areAnswered(steps: readonly Step[], wanted: readonly Wanted[]): boolean {
  return steps.every(({ question, answer }) => answerTo(question, wanted) === answer)
}

/** Known answers by environments. */
export class AnswersByCode {
  readonly #known = new WeakMap<CompileEnvironment, Known[]>()

  /** Answers that these environments have in common. */
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

/** Environments that one is compared with at a time: alone, and with what a push or two would make of it. */
const mostOthers = 3
