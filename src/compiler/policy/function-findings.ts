import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { referenceText } from '../../language/rich-data/rich-data.ts'
import { withArticle } from '../../language/types/printing/label.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { policyIssues } from './issues.ts'

/** A function's finding about the resource with this reference; about the catalog if `reference` is undefined. */
export interface FunctionFinding {
  readonly reference: string | undefined
  readonly detail: string | undefined
  readonly parameter: string | undefined
}

/** Converts the return value of a policy function to findings. Throws POLICY_RESULT. */
export function functionFindings(name: string, given: Value): readonly FunctionFinding[] {
  if (given === undefined) return []
  const refuse = (value: Value): never => fail(policyIssues.POLICY_RESULT, { name, type: withArticle(value) })
  if (!Array.isArray(given)) return refuse(given)
  return given.map((each) => findingIn(each) ?? refuse(each))
}

function findingIn(value: Value): FunctionFinding | undefined {
  if (typeof value === 'string') return { reference: undefined, detail: cut(value), parameter: undefined }
  const reference = referenceText(value)
  if (reference !== undefined) return { reference, detail: undefined, parameter: undefined }
  if (!(value instanceof Hash)) return undefined
  const [type, title, message, parameter] = ['type', 'title', 'message', 'parameter'].map((key) => value.get(key))
  if (typeof type !== 'string' || typeof title !== 'string') return undefined
  if (![message, parameter].every((each) => each === undefined || typeof each === 'string')) return undefined
  return {
    reference: `${type}[${title}]`,
    detail: message === undefined ? undefined : cut(message as string),
    parameter: parameter as string | undefined,
  }
}

function cut(text: string): string {
  const { bound } = budgets.policy.message
  return text.length <= bound ? text : `${text.slice(0, bound)}…`
}
