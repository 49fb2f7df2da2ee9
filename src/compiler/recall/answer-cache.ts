import { budgets } from '../../base/budgets/budgets.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { shortenAnswer, type TraceStep } from '../../ruby/trace/trace-step.ts'
import { type AnswerContext, recallQuestions } from './recall-questions.ts'

/**
 * Cached answers to questions about code in traces, such as the digest of a file; for one environment, or for
 * several environments with equal answers. Many nodes' traces contain the same question, so each answer is computed
 * once.
 */
export class AnswerCache {
  /** Answers by kind and arguments of the question; false if the question has no answer. */
  readonly #answers = createGrowingLru<string | false>(budgets.environment.knownAnswers.bound)
  /** Checked groups of trace steps by name; true if all answers in the group are unchanged. */
  readonly #groups = createGrowingLru<boolean>(budgets.environment.knownGroups.bound)

  /**
   * Returns true if the answers in a group of trace steps are unchanged; `undefined` if the group was not checked
   * yet.
   */
  groupHolds(name: string): boolean | undefined {
    return this.#groups.get(name)
  }

  /**
   * Returns true if the answers in all steps of a group are unchanged; caches the result by the name of the group.
   */
  hold(name: string, steps: readonly TraceStep[], wanted: readonly AnswerContext[]): boolean {
    const holds = steps.every(({ question, answer }) => this.#answerTo(question, wanted) === answer)
    this.#groups.set(name, holds)
    return holds
  }

  #answerTo(question: TraceStep['question'], wanted: readonly AnswerContext[]): string | false {
    const key = JSON.stringify(question)
    const known = this.#answers.get(key) ?? computeCommonAnswer(question, wanted) ?? false
    this.#answers.set(key, known)
    return known
  }
}

/** Returns the current answer in the form that traces contain; `undefined` if the requests have different answers. */
function computeCommonAnswer(
  { kind, args }: TraceStep['question'],
  wanted: readonly AnswerContext[],
): string | undefined {
  const [first, ...others] = wanted.map((each) => recallQuestions[kind]?.answer(each, args))
  return first === undefined || others.some((each) => each !== first) ? undefined : shortenAnswer(first)
}

/** Returns true if the answers of all steps are unchanged. */
export function areAnswersUnchanged(steps: readonly TraceStep[], wanted: readonly AnswerContext[]): boolean {
  return steps.every(({ question, answer }) => computeCommonAnswer(question, wanted) === answer)
}

/** Answer caches by environment. */
export class AnswerCaches {
  readonly #known = new WeakMap<CompileEnvironment, Known[]>()

  /** Returns the answer cache for these environments. */
  of(environments: readonly CompileEnvironment[]): AnswerCache {
    const [last, ...others] = environments as readonly [CompileEnvironment, ...CompileEnvironment[]]
    const known = this.#known.get(last) ?? []
    const hasSameEnvironments = (each: Known) =>
      each.others.length === others.length && others.every((one, index) => each.others[index]?.deref() === one)
    const found = known.find(hasSameEnvironments) ?? {
      others: others.map((each) => new WeakRef(each)),
      answers: new AnswerCache(),
    }
    this.#known.set(last, [found, ...known.filter((each) => each !== found)].slice(0, mostOthers))
    return found.answers
  }
}

interface Known {
  readonly others: readonly WeakRef<CompileEnvironment>[]
  readonly answers: AnswerCache
}

/**
 * Maximum number of caches for an environment: one for the environment alone, and one for each other environment (the
 * result of a recent push) that it is compared with.
 */
const mostOthers = 3
