import { failVerbatim } from '../language/evaluator/evaluation-error.ts'
import type { CallContext } from '../language/host.ts'
import type { Hash } from '../language/values/hash.ts'
import { hieraIssues } from './issues.ts'

/** One question and the questions that answering it leads to. */
export interface Invocation {
  /** Who asks: for variables and calls. */
  readonly context: CallContext
  readonly override: Hash | undefined
  readonly defaultValues: Hash | undefined
  /** What is being looked up, from the first question on; a name that comes twice would never end. */
  readonly names: string[]
}

/** Does `work` as part of looking up a name. Throws LOOKUP_RECURSION. */
export function within<Result>({ names }: Invocation, name: string, work: () => Result): Result {
  if (names.includes(name)) {
    const keys = names.filter((each) => !each.startsWith('scope:'))
    failVerbatim(hieraIssues.LOOKUP_RECURSION, { key: keys[0] ?? name, names: [...names] })
  }
  names.push(name)
  try {
    return work()
  } finally {
    names.pop()
  }
}
