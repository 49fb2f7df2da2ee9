import { isIssue } from '../../base/issue.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import { failWithoutLocation, VerbatimError } from '../../language/values/verbatim-error.ts'
import type { Explainer, LookupStep } from './explainer.ts'
import { hieraIssues } from './issues.ts'
import type { LookupResult } from './lookup-result.ts'

/** One lookup and the nested lookups it causes. */
export interface LookupInvocation {
  /** The caller's scope, for variables and function calls. */
  readonly context: CallContext
  readonly override: Hash | undefined
  readonly defaultValues: Hash | undefined
  /** Names being looked up, the outermost name first; used to detect recursion. */
  readonly names: string[]
  /** Records the steps of the lookup; `undefined` if no explanation is requested. */
  readonly explainer: Explainer | undefined
  /** True to search only the global layer, for Hiera 3 functions in an environment without a hiera.yaml. */
  readonly globalOnly: boolean
}

/** Runs `work` as a step of the explanation, if there is one. */
export function explainStep<Result>({ explainer }: LookupInvocation, step: LookupStep, work: () => Result): Result {
  return explainer ? explainer.within(step, work) : work()
}

/** Records in the explanation if a value was found for the key; returns `found`. */
export function reportOutcome({ explainer }: LookupInvocation, key: string, found: LookupResult): LookupResult {
  explainer?.report(found ? { event: 'found', key, value: found.value } : { event: 'not_found', key })
  return found
}

/** Throws LOOKUP_RECURSION if the name is already being looked up. */
export function checkRecursion({ names }: LookupInvocation, name: string): void {
  if (names.includes(name)) failWithoutLocation(hieraIssues.LOOKUP_RECURSION, { names: [...names] })
}

/** Runs `work` as part of the lookup of a name. Throws LOOKUP_RECURSION. */
export function withLookupName<Result>(invocation: LookupInvocation, name: string, work: () => Result): Result {
  checkRecursion(invocation, name)
  const { names } = invocation
  names.push(name)
  try {
    return work()
  } catch (error) {
    // A nested lookup failed. The error is an error in the data, so it does not have the location of the caller.
    // Puppet: invocation.rb, `check`.
    if (!isIssue(error, hieraIssues.LOOKUP_FAILED)) throw error
    throw new VerbatimError({ ...error.diagnostic, message: error.message, span: undefined }, { cause: error })
  } finally {
    names.pop()
  }
}

/** Returns the invocation for a separate lookup with the same caller. */
export function createSeparateInvocation({
  context,
  explainer,
  globalOnly = false,
}: Pick<LookupInvocation, 'context'> & Partial<LookupInvocation>): LookupInvocation {
  return { context, override: undefined, defaultValues: undefined, names: [], explainer, globalOnly }
}
