import { throwIssue } from '../../base/issue.ts'
import { checkJsonObject, checkJsonString, type Json, wireIssues } from '../../base/json/json-checks.ts'
import { isOid } from '../../code/git/ref-names.ts'
import type { Review, ReviewOrder, ReviewParts } from '../../deploy/review/merge-request-review.ts'
import { reviewMergeRequest } from '../../deploy/review/merge-request-review.ts'
import type { CodeSource } from '../../deploy/sources/code-source.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { ServerGate } from '../gate/server-gate.ts'
import { ReviewQueue } from './review-queue.ts'

/** Dependencies of reviews. */
export interface ReviewsParts extends Omit<ReviewParts, 'computeImpact' | 'warn'> {
  sources(): readonly CodeSource[]
  readonly gate: Pick<ServerGate, 'review'>
  log(level: 'info' | 'warn', message: string): void
}

/** Reviews of merge requests, on webhooks and on request. */
export class Reviews {
  readonly #parts: ReviewsParts
  readonly #queue: ReviewQueue
  readonly #closing = new AbortController()

  constructor(parts: ReviewsParts) {
    this.#parts = parts
    const log = (level: 'info' | 'warn', message: string) => parts.log(level, message)
    this.#queue = new ReviewQueue({
      log,
      run: async (name, number) => {
        const source = this.#findSource(name)
        const { head, comment } = await this.#review({ source, request: number, publishes: true, isRequested: false })
        log('info', `Merge request ${number} of ${name} was reviewed at ${head}; the comment was ${comment}`)
      },
    })
  }

  /** Reviews a merge request in the background, if its source has access to merge requests. */
  add(source: string, number: number): void {
    if (this.#parts.sources().some(({ name, review }) => name === source && review)) this.#queue.add(source, number)
  }

  /** Handles the request of `plumb code review`. Throws WIRE_SHAPE, UNKNOWN_SOURCE, REVIEW_…. */
  async handle(asked: unknown, gone: AbortSignal): Promise<Json> {
    const { source: name, request: given, publish } = checkJsonObject(asked, 'the request')
    const source = this.#findSource(checkJsonString(name, 'source'))
    const order = { source, request: parseRequest(given), publishes: publish === true, isRequested: true }
    return (await this.#review(order, gone)) as unknown as Json
  }

  /** Ends all reviews. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#queue.close()
  }

  #review(order: ReviewOrder, gone?: AbortSignal): Promise<Review> {
    const { gate, log } = this.#parts
    const signal = gone ? AbortSignal.any([gone, this.#closing.signal]) : this.#closing.signal
    return reviewMergeRequest(order, {
      ...this.#parts,
      computeImpact: (commits) => gate.review(commits, signal),
      warn: (error) => log('warn', `The status of a commit was not published: ${formatErrorReason(error)}`),
    })
  }

  #findSource(name: string): CodeSource {
    const all = this.#parts.sources()
    const known = all.map((each) => each.name)
    return all.find((each) => each.name === name) ?? throwIssue(sourceIssues.UNKNOWN_SOURCE, { name, known })
  }
}

/** Returns the number of a merge request, or a commit ID. Throws WIRE_SHAPE. */
function parseRequest(given: unknown): number | string {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given
  if (typeof given === 'string' && isOid(given)) return given
  return throwIssue(wireIssues.WIRE_SHAPE, {
    what: 'request',
    expected: 'the number of a merge request or a full commit ID',
  })
}
