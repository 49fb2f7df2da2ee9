import type { EvaluationHost } from '../host.ts'
import type { Value } from '../values/value.ts'
import type { Scope } from './scope.ts'
import { lookUpQualified } from './variables.ts'

/** Finds a variable by name, qualified or not; `undefined` if it is not set. */
export function findVariable(
  name: string,
  { host, scope }: { readonly host: EvaluationHost; readonly scope: Scope },
): { readonly value: Value } | undefined {
  if (!name.includes('::')) return scope.has(name) ? { value: scope.get(name) } : undefined
  let top = scope
  while (top.enclosing) top = top.enclosing
  return lookUpQualified(name, { host }, top)
}
