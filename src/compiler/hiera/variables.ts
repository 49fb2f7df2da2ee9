import { createDiagnostic, throwIssue } from '../../base/issue.ts'
import { findVariable } from '../../language/evaluator/variable-lookup.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { hieraIssues } from './issues.ts'

/** The value of a variable, from a scope or from the default values of the lookup; `undefined` if it is not set. */
export type FoundVariable = { readonly value: Value; readonly from: 'scope' | 'defaults' } | undefined

/**
 * Reads a variable by the name that data uses: `facts`, `::environment`, `ntp::servers`. The setting `strict` determines
 * whether an unknown variable is an error (UNDEFINED_VARIABLE), a warning or `undefined`; `strict_variables` does not, as
 * in Puppet's `Scope#variable_not_found`.
 */
export function readVariable(name: string, context: CallContext, defaultValues: Hash | undefined): FoundVariable {
  const found = findVariable(name, context)
  if (found) return { value: found.value, from: 'scope' }
  if (defaultValues?.has(name)) return { value: defaultValues.get(name), from: 'defaults' }
  const { host } = context
  if (host.strict === 'error') throwIssue(hieraIssues.UNDEFINED_VARIABLE, { name })
  if (host.strict === 'warning')
    host.warn({ ...createDiagnostic(hieraIssues.UNDEFINED_VARIABLE, { name }, undefined, 'warning'), once: true })
  return undefined
}
