import { builtInChecks } from './built-in-checks.ts'
import type { Check } from './check.ts'
import { plugInChecks } from './plug-ins/plug-in-checks.ts'

/** All checks, in the order of problems and of corrections. */
export const allChecks: readonly Check[] = [...builtInChecks, ...plugInChecks]
