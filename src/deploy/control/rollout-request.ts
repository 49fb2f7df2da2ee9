import { throwIssue } from '../../base/issue.ts'
import { checkJsonObject, checkJsonString, checkOptionalString, wireIssues } from '../../base/json/json-checks.ts'
import { type ActionRequest, personActions } from '../rollout/rollout-actions.ts'

/** A request about rollouts: for all environments, for one environment, or a step of a person. */
export type RolloutRequest = { readonly show: string | null } | ActionRequest

/** Maximum lengths in characters of a reason and of the name of a person. The log and the audit log contain them. */
const [maxReasonLength, maxByLength] = [500, 200]

/** Checks a request. Throws WIRE_SHAPE. */
export function parseRolloutRequest(asked: unknown): RolloutRequest {
  const { show, environment, action, by, number, reason } = checkJsonObject(asked, 'the request')
  if (action === undefined) return { show: checkOptionalString(show, 'show') ?? null }
  const known = personActions.find((each) => each === action)
  if (known === undefined)
    return throwIssue(wireIssues.WIRE_SHAPE, { what: 'action', expected: `one of ${personActions.join(', ')}` })
  return {
    environment: checkJsonString(environment, 'environment'),
    action: known,
    number: number === undefined || number === null ? undefined : checkRolloutNumber(number),
    by: checkLength(checkJsonString(by, 'by'), 'by', maxByLength),
    reason: checkLength(checkOptionalString(reason, 'reason') ?? '', 'reason', maxReasonLength) || undefined,
  }
}

function checkRolloutNumber(number: unknown): number {
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  return throwIssue(wireIssues.WIRE_SHAPE, { what: 'number', expected: 'an integer' })
}

function checkLength(text: string, what: string, most: number): string {
  if (text.length <= most) return text
  return throwIssue(wireIssues.WIRE_SHAPE, { what, expected: `at most ${most} characters long` })
}
