import { throwIssue } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'
import type { Lambda, Parameter, Program } from '../syntax/tree/nodes.ts'
import { describeParameters } from '../types/mismatch/mismatch.ts'
import { toText } from '../types/printing/text.ts'
import type { Hash } from '../values/hash.ts'
import type { Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationContext } from './context.ts'
import { makeContext } from './evaluation.ts'
import { evaluatorIssues } from './issues.ts'
import { evaluateDefault } from './parameters.ts'

/** Arguments of a call to `epp` or `inline_epp`. */
export interface EppRequest {
  /** Function name, for messages. */
  readonly name: 'epp' | 'inline_epp'
  /** Syntax tree of the template, parsed as EPP. */
  readonly template: Program
  /** Parameters passed with the template; `undefined` if none were passed. */
  readonly parameters: Hash | undefined
  /** Variables visible to the template: only global ones for `epp`, the caller's for `inline_epp`. */
  readonly sees: 'global' | 'caller'
}

/** Renders a template. The result is Sensitive if any part of it is. */
export function renderEpp({ name, template, parameters, sees }: EppRequest, { host, scope }: CallContext): Value {
  const { body, definitions } = template
  if (definitions.length > 0)
    throwIssue(evaluatorIssues.RUNTIME_ERROR, {
      detail: `${name}(): The EPP template contains illegal expressions (definitions)`,
    })
  const lambda = body as Lambda
  const context = makeContext(host, sees === 'global' ? scope.global : scope)
  const specified = lambda.body.kind === 'Epp' && lambda.body.parametersSpecified
  const given = new Map(Array.from(parameters ?? [], ([key, value]) => [toText(key), value] as const))
  const enforced = specified || parameters === undefined
  const values = enforced ? bindParameters(lambda, given, context) : given
  const local = context.scope.local()
  for (const [key, value] of values) local.set(key, value)
  return context.within(local).evaluate(lambda.body)
}

function bindParameters(
  { parameters }: Lambda,
  given: ReadonlyMap<string, Value>,
  context: EvaluationContext,
): ReadonlyMap<string, Value> {
  const values = new Map([...given].filter(([, value]) => value !== undefined))
  const local = context.scope.local()
  local.expect(parameters.map(({ name }) => name).filter((name) => !values.has(name)))
  for (const [name, value] of values) local.set(name, value)
  for (const parameter of parameters) {
    if (values.has(parameter.name)) continue
    if (parameter.value) {
      const value = evaluateDefault('lambda', parameters, parameter, context.within(local))
      values.set(parameter.name, value)
      local.set(parameter.name, value)
    } else if (given.has(parameter.name)) {
      values.set(parameter.name, undefined)
      local.set(parameter.name, undefined)
    }
  }
  assertTypes(parameters, values, context)
  return values
}

function assertTypes(
  parameters: readonly Parameter[],
  values: ReadonlyMap<string, Value>,
  context: EvaluationContext,
): void {
  const specs = parameters.map(({ name, type, value }) => ({
    name,
    type: type && (context.evaluate(type) as Type),
    optional: value !== undefined,
  }))
  const complaint = describeParameters('lambda', specs, values)
  if (complaint !== undefined) throwIssue(evaluatorIssues.RUNTIME_ERROR, { detail: complaint })
}
