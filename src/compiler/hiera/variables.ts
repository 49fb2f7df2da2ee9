import { fail } from '../../base/issue.ts'
import { findVariable } from '../../language/evaluator/find-variable.ts'
import type { CallContext } from '../../language/host.ts'
import type { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { hieraIssues } from './issues.ts'

/** The value of a variable, and whether a scope has it or only the default values of the question. */
export type FoundVariable = { readonly value: Value; readonly from: 'scope' | 'defaults' } | undefined

/** A variable as data names it: `facts`, `::environment`, `ntp::servers`. Throws UNDEFINED_VARIABLE where strict. */
export function readVariable(name: string, context: CallContext, defaultValues: Hash | undefined): FoundVariable {
  const found = findVariable(name, context)
  if (found) return { value: found.value, from: 'scope' }
  if (defaultValues?.has(name)) return { value: defaultValues.get(name), from: 'defaults' }
  if (context.host.strictVariables) fail(hieraIssues.UNDEFINED_VARIABLE, { name })
  return undefined
}
