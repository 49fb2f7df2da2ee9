import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { budgets } from '../../base/budgets/budgets.ts'

const form = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/**
 * Id of a request: the client's `X-Request-Id` if it has the allowed form, otherwise a new one. The
 * form is checked because the id appears in log lines.
 */
export function getRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  const isFit = typeof given === 'string' && given.length <= budgets.telemetry.requestId.bound && form.test(given)
  return isFit ? given : randomUUID()
}
