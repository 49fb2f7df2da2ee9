import { isIssue } from '../../base/issue.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import { failVerbatim, VerbatimError } from '../../language/values/verbatim-error.ts'
import type { Explainer, Step } from './explainer.ts'
import type { Found } from './found.ts'
import { hieraIssues } from './issues.ts'

/** One question and the questions that answering it leads to. */
export interface Invocation {
  /** Who asks: for variables and calls. */
  readonly context: CallContext
  readonly override: Hash | undefined
  readonly defaultValues: Hash | undefined
  /** Names being looked up, from the first question on; a name that comes twice would never end. */
  readonly names: string[]
  /** Writes down how; where nobody wants to know, there is none. */
  readonly explainer: Explainer | undefined
  /** True when only the global layer is asked: the functions of Hiera 3, where the environment has no hiera.yaml. */
  readonly globalOnly: boolean
}

/** Does `work` as a step of its own. */
export function explained<Result>({ explainer }: Invocation, step: Step, work: () => Result): Result {
  return explainer ? explainer.within(step, work) : work()
}

/** Writes down whether there is data for a key, and hands it on. */
export function reported({ explainer }: Invocation, key: string, found: Found): Found {
  explainer?.report(found ? { event: 'found', key, value: found.value } : { event: 'not_found', key })
  return found
}

/** Throws LOOKUP_RECURSION for a name that is being looked up already. */
export function checkRecursion({ names }: Invocation, name: string): void {
  if (names.includes(name)) failVerbatim(hieraIssues.LOOKUP_RECURSION, { names: [...names] })
}

/** Does `work` as part of looking up a name. Throws LOOKUP_RECURSION. */
export function within<Result>(invocation: Invocation, name: string, work: () => Result): Result {
  checkRecursion(invocation, name)
  const { names } = invocation
  names.push(name)
  try {
    return work()
  } catch (error) {
    // The question within failed: that is data's fault now, not that of who asked. Puppet: invocation.rb, `check`.
    if (!isIssue(error, hieraIssues.LOOKUP_FAILED)) throw error
    throw new VerbatimError({ ...error.diagnostic, message: error.message, span: undefined }, { cause: error })
  } finally {
    names.pop()
  }
}

/** An invocation of the same asker with a question of its own. */
export function unasked({
  context,
  explainer,
  globalOnly = false,
}: Pick<Invocation, 'context'> & Partial<Invocation>): Invocation {
  return { context, override: undefined, defaultValues: undefined, names: [], explainer, globalOnly }
}
