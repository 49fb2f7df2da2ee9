import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { formatReference } from '../../language/rich-data/rich-data.ts'
import { getLabelWithArticle } from '../../language/types/printing/label.ts'
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
export function parseFunctionFindings(name: string, given: Value): readonly FunctionFinding[] {
  if (given === undefined) return []
  const rejectResult = (value: Value): never =>
    throwIssue(policyIssues.POLICY_RESULT, { name, type: getLabelWithArticle(value) })
  if (!Array.isArray(given)) return rejectResult(given)
  return given.map((each) => parseFinding(each) ?? rejectResult(each))
}

function parseFinding(value: Value): FunctionFinding | undefined {
  if (typeof value === 'string') return { reference: undefined, detail: truncateMessage(value), parameter: undefined }
  const reference = formatReference(value)
  if (reference !== undefined) return { reference, detail: undefined, parameter: undefined }
  if (!(value instanceof Hash)) return undefined
  const [type, title, message, parameter] = ['type', 'title', 'message', 'parameter'].map((key) => value.get(key))
  if (typeof type !== 'string' || typeof title !== 'string') return undefined
  if (![message, parameter].every((each) => each === undefined || typeof each === 'string')) return undefined
  return {
    reference: `${type}[${title}]`,
    detail: message === undefined ? undefined : truncateMessage(message as string),
    parameter: parameter as string | undefined,
  }
}

function truncateMessage(text: string): string {
  const { bound } = budgets.policy.message
  return text.length <= bound ? text : `${text.slice(0, bound)}…`
}
