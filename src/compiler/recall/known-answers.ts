import { budgets } from '../../base/budgets/budgets.ts'
import { growingLru } from '../../base/growing-lru.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type Step, shortened } from '../../ruby/trace/step.ts'
import { questions, type Wanted } from './questions.ts'

/**
 * Cached answers to questions about code, for one environment or for several environments that give the same answer.
 * Many nodes ask the same question, so each answer is computed once.
 */
export class KnownAnswers {
  /** Answers by kind and arguments of the question; false if there is no answer. */
  readonly #answers = growingLru<string | false>(budgets.environment.knownAnswers.bound)
  /** Checked groups by name; true if all answers of the group are unchanged. */
  readonly #groups = growingLru<boolean>(budgets.environment.knownGroups.bound)

  /** Returns true if the answers of a group are unchanged; `undefined` if the group was not checked yet. */
  groupHolds(name: string): boolean | undefined {
    return this.#groups.get(name)
  }

  /** Returns true if the answers of all steps are unchanged; caches the result by the name of the group. */
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

/** Returns the answer in the form that traces contain; `undefined` if the requests have different answers. */
function answerTo({ kind, args }: Step['question'], wanted: readonly Wanted[]): string | undefined {
  const [first, ...others] = wanted.map((each) => questions[kind]?.answer(each, args))
  return first === undefined || others.some((each) => each !== first) ? undefined : shortened(first)
}

/** Returns true if the answers of all steps are unchanged. */
export function areAnswered(steps: readonly Step[], wanted: readonly Wanted[]): boolean {
  return steps.every(({ question, answer }) => answerTo(question, wanted) === answer)
}

/** Caches of answers by environment. */
export class AnswersByCode {
  readonly #known = new WeakMap<CompileEnvironment, Known[]>()

  /** Returns the cache of answers for these environments. */
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

/**
 * Maximum number of caches for an environment: one for the environment alone, and one for each other environment (the
 * result of a recent push) that it is compared with.
 */
const mostOthers = 3
