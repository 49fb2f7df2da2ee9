import { throwIssue } from '../../base/issue.ts'
import { findVariable } from '../../language/evaluator/variable-lookup.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { hieraIssues } from './issues.ts'

/** The value of a variable, from a scope or from the default values of the lookup; `undefined` if it is not set. */
export type FoundVariable = { readonly value: Value; readonly from: 'scope' | 'defaults' } | undefined

/**
 * Reads a variable by the name that data uses: `facts`, `::environment`, `ntp::servers`. Throws UNDEFINED_VARIABLE with
 * strict variables.
 */
export function readVariable(name: string, context: CallContext, defaultValues: Hash | undefined): FoundVariable {
  const found = findVariable(name, context)
  if (found) return { value: found.value, from: 'scope' }
  if (defaultValues?.has(name)) return { value: defaultValues.get(name), from: 'defaults' }
  if (context.host.strictVariables) throwIssue(hieraIssues.UNDEFINED_VARIABLE, { name })
  return undefined
}
