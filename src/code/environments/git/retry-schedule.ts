import { isIssue, PuppetError } from '../../../base/issue.ts'
import { gitIssues } from '../../git/issues.ts'
import { environmentIssues } from '../issues.ts'

/** The time of the next attempt after a failure. */
export interface NextAttempt {
  /** Time of the attempt in milliseconds since 1970. */
  readonly at: number
  /** Milliseconds waited before this attempt; the next wait is twice as long. */
  readonly wait: number
}

/** The first and the longest wait in milliseconds; each wait doubles. */
interface Waits {
  readonly first: number
  readonly longest: number
}

const minute = 60_000
/** Waits after a temporary shortage of resources. */
const shortly: Waits = { first: 1000, longest: minute }
/** Waits after a costly attempt that is unlikely to succeed soon. */
const slowly: Waits = { first: minute, longest: 60 * minute }
/** No timed attempt: only a new event triggers the next attempt. */
const whenAsked: Waits = { first: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }
/** Retry at each check. */
const always: Waits = { first: 0, longest: 0 }

/** Errors that may go away, each with the waits before new attempts. */
const passing: readonly (readonly [issue: { readonly code: string }, waits: Waits])[] = [
  [gitIssues.GIT_NOT_STARTED, shortly],
  [gitIssues.GIT_NOT_SPOOLED, shortly],
  [gitIssues.GIT_FAILED, shortly],
  [gitIssues.GIT_FORBIDDEN, shortly],
  [gitIssues.GIT_OBJECT_CORRUPT, slowly],
  [gitIssues.GIT_OBJECT_MISSING, slowly],
  [environmentIssues.TOO_MANY_ENVIRONMENTS, always],
  [environmentIssues.NOT_CHECKED, slowly],
  [environmentIssues.DEPLOY_WAITS, whenAsked],
  [environmentIssues.NOT_ASSIGNED, shortly],
  [environmentIssues.NOT_DEPLOYED, slowly],
  [environmentIssues.GATE_WAITS, whenAsked],
  [environmentIssues.GATE_REFUSED, slowly],
  [environmentIssues.GATE_FAILED, slowly],
  [environmentIssues.LOAD_TOOK_TOO_LONG, slowly],
  [environmentIssues.SERVED_TOO_MUCH, slowly],
]

/**
 * Returns the time of the next attempt after an error; `undefined` if the commit itself is at
 * fault. `before` is the previous attempt.
 */
export function computeNextAttempt(
  error: unknown,
  before: NextAttempt | undefined,
  now = Date.now(),
): NextAttempt | undefined {
  const waits = error instanceof PuppetError ? passing.find(([issue]) => isIssue(error, issue))?.[1] : shortly
  if (!waits) return undefined
  const wait = Math.min(before ? before.wait * 2 : waits.first, waits.longest)
  return { at: now + wait, wait }
}
