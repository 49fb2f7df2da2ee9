import { isIssue, PuppetError } from '../../../base/issue.ts'
import { gitIssues } from '../../git/issues.ts'
import { environmentIssues } from '../issues.ts'

/** When what failed is tried again. */
export interface Retry {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds of waiting before that time; the next wait is twice as long. */
  readonly wait: number
}

/** Milliseconds of the first wait, and of the longest; each wait is twice the one before. */
interface Waits {
  readonly first: number
  readonly longest: number
}

const minute = 60_000
/** The machine lacks something now. */
const shortly: Waits = { first: 1000, longest: minute }
/** Waits after an error of a costly attempt that is not likely to succeed soon. */
const slowly: Waits = { first: minute, longest: 60 * minute }
/** Another look is asked for when there is news. */
const whenAsked: Waits = { first: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }
/** There is room, or there is none. */
const always: Waits = { first: 0, longest: 0 }

/** Errors that may pass with the same commit, with the waits before new attempts. */
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
  [environmentIssues.NOT_DEPLOYED, slowly],
  [environmentIssues.GATE_WAITS, whenAsked],
  [environmentIssues.GATE_REFUSED, slowly],
  [environmentIssues.GATE_FAILED, slowly],
  [environmentIssues.LOAD_TOOK_TOO_LONG, slowly],
  [environmentIssues.SERVED_TOO_MUCH, slowly],
]

/** When something is tried again that failed, and was tried before; `undefined` for what the commit itself is to blame for. */
export function retryAfter(error: unknown, before: Retry | undefined, now = Date.now()): Retry | undefined {
  const waits = error instanceof PuppetError ? passing.find(([issue]) => isIssue(error, issue))?.[1] : shortly
  if (!waits) return undefined
  const wait = Math.min(before ? before.wait * 2 : waits.first, waits.longest)
  return { at: now + wait, wait }
}
