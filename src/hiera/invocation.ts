import { fail } from '../base/issue.ts'
import type { CallContext } from '../language/host.ts'
import type { Hash } from '../language/values/hash.ts'
import type { Explainer, Step } from './explainer.ts'
import type { Found } from './found.ts'
import { hieraIssues } from './issues.ts'

/** One question and the questions that answering it leads to. */
export interface Invocation {
  /** Who asks: for variables and calls. */
  readonly context: CallContext
  readonly override: Hash | undefined
  readonly defaultValues: Hash | undefined
  /** What is being looked up, from the first question on; a name that comes twice would never end. */
  readonly names: string[]
  /** Writes down how; where nobody wants to know, there is none. */
  readonly explainer: Explainer | undefined
  /** Whether only the global layer is asked: the functions of Hiera 3, where the environment has no hiera.yaml. */
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

/** Does `work` as part of looking up a name. Throws LOOKUP_RECURSION. */
export function within<Result>({ names }: Invocation, name: string, work: () => Result): Result {
  if (names.includes(name)) {
    const keys = names.filter((each) => !each.startsWith('scope:'))
    fail(hieraIssues.LOOKUP_RECURSION, { key: keys[0] ?? name, names: [...names] })
  }
  names.push(name)
  try {
    return work()
  } finally {
    names.pop()
  }
}
