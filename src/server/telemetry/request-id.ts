import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { budgets } from '../../base/budgets/budgets.ts'

const form = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/**
 * The id of a request: the one that its client brings in `X-Request-Id`, where it is one word of plain characters, or a
 * new one. It stands in log lines, so nothing else of a client's gets there by it.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  const isFit = typeof given === 'string' && given.length <= budgets.telemetry.requestId.bound && form.test(given)
  return isFit ? given : randomUUID()
}
