import type { Expression, Parameter } from '../../../language/syntax/tree/nodes.ts'
import { describeMismatch } from '../../../language/types/mismatch/mismatch.ts'
import { DEFAULT } from '../../../language/values/value.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { readLiteral } from '../code/code-type-names.ts'
import { indexParameters } from '../code/file-names.ts'
import type { CodeCheck } from '../code-check.ts'
import { listOperations } from './parameters.ts'

/** Literal values that are no instances of the type of their parameter. */
export const wrongType: CodeCheck = {
  name: 'wrong_type',
  check(file, code, report) {
    for (const { owner, operations } of listOperations(file, code)) {
      if (owner.kind === 'native') continue
      const parameters = indexParameters(owner.parameters)
      for (const each of operations) {
        const parameter = each.kind === 'AttributeOperation' && each.operator === '=>' && parameters.get(each.name)
        // An undefined value means the default of the parameter.
        if (!parameter || (each.value.kind === 'LiteralUndef' && parameter.value)) continue
        const problem = describeLiteral(`${owner.label}: parameter '${parameter.name}'`, parameter, each.value, code)
        if (problem !== undefined) report(problem, each.value.span)
      }
    }
    for (const { node, owner } of file.listNodes('Parameter')) {
      if (!node.value || owner?.kind === 'PlanDefinition' || node.capturesRest) continue
      const problem = describeLiteral(`the default of parameter '${node.name}'`, node, node.value, code)
      if (problem !== undefined) report(problem, node.value.span)
    }
  },
}

function describeLiteral(
  subject: string,
  { type }: Parameter,
  node: Expression,
  code: CheckedCode,
): string | undefined {
  const literal = type && readLiteral(node)
  const expected = literal && code.types.resolve(type)
  if (!expected || literal.value === DEFAULT) return undefined
  return describeMismatch(subject, expected, literal.value) || undefined
}
