import { fail } from '../base/issue.ts'
import { findVariable } from '../language/evaluator/find-variable.ts'
import type { CallContext } from '../language/host.ts'
import type { Hash } from '../language/values/hash.ts'
import type { Value } from '../language/values/value.ts'
import { hieraIssues } from './issues.ts'

/** A variable as data names it: `facts`, `::environment`, `ntp::servers`. Throws UNKNOWN_VARIABLE where strict. */
export function readVariable(name: string, context: CallContext, defaultValues: Hash | undefined): Value {
  const found = findVariable(name, context)
  if (found) return found.value
  if (defaultValues?.has(name)) return defaultValues.get(name)
  if (context.host.strictVariables) fail(hieraIssues.UNKNOWN_VARIABLE, { name })
  return undefined
}
