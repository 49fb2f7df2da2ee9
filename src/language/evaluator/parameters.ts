import { throwIssue } from '../../base/issue.ts'
import type { Parameter } from '../syntax/tree/nodes.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext } from './context.ts'
import { evaluatorIssues } from './issues.ts'
import { UnsetParameter } from './scope.ts'

/**
 * Evaluates the default of a parameter; earlier parameters already have their values. Puppet:
 * Scope::ParameterScope.
 */
export function evaluateDefault(
  callee: string,
  parameters: readonly Pick<Parameter, 'name'>[],
  { name, value }: Parameter,
  context: EvaluationContext,
): Value {
  const { scope } = context
  const matches = scope.matches
  try {
    scope.matches = undefined
    return context.evaluate(value!)
  } catch (error) {
    if (!(error instanceof UnsetParameter)) throw error
    const names = parameters.map((each) => each.name)
    const detail =
      names.indexOf(error.name) < names.indexOf(name)
        ? `${callee}: expects a value for parameter $${error.name}`
        : `${callee}: default expression for $${name} tries to illegally access not yet evaluated $${error.name}`
    return throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail })
  } finally {
    scope.matches = matches
  }
}
