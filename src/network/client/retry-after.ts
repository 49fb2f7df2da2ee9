import { throwIssue } from '../../base/issue.ts'
import { httpIssues } from './errors.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the number of seconds after which to retry a request to a busy server; `undefined` if the response has
 * another reason. Throws HTTP_RETRY_AFTER_INVALID.
 */
export function getRetryDelay({ status, headers }: Answer, now: number): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  if (Number.isNaN(date)) throwIssue(httpIssues.HTTP_RETRY_AFTER_INVALID, { value })
  return Math.max(0, Math.round((date - now) / 1000))
}
