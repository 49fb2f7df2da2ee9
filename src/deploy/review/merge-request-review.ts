import { throwIssue } from '../../base/issue.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { listChangedPaths } from '../../code/git/merge-tree.ts'
import { formatLastServedRef } from '../../code/git/ref-names.ts'
import { formatApprovalRule } from '../approvals/approval-rules.ts'
import type { GateFinding } from '../gate/gate.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { ApprovalGate } from './approval-gate.ts'
import { findMatchingRules, toKnownImpact } from './approval-match.ts'
import type { CommitStatus, GitHost, MergeRequest } from './git-host.ts'
import { publishComment } from './own-comment.ts'
import { createImpactStatus, formatCommentMarker, formatReviewComment, type ReviewContent } from './review-comment.ts'
import { reviewIssues } from './review-issues.ts'

/** Dependencies of a review. */
export interface ReviewParts {
  readonly objects: Pick<GitObjectSource, 'path' | 'resolveRef' | 'mergeBase'>
  readonly approvals: Pick<ApprovalGate, 'readRulesOf' | 'toSourceCommit'>
  openHost(source: CodeSource): GitHost
  fetchHead(source: CodeSource, request: MergeRequest): Promise<void>
  /** Returns the environments of a branch of a source. */
  listEnvironments(source: string, branch: string): readonly string[]
  /** Compiles the catalogs of an environment's nodes with two commits; undefined if no node is known. */
  computeImpact(commits: {
    readonly environment: string
    readonly old: string
    readonly new: string
  }): Promise<GateFinding | undefined>
  /** Called for errors that do not end the review. */
  warn(error: unknown): void
}

/** A merge request to review. */
export interface ReviewOrder {
  readonly source: CodeSource
  /** The number of the merge request, or its newest commit. */
  readonly request: number | string
  /** False to compute the comment only. */
  readonly publishes: boolean
  /** True if an operator requests the review, who has read the changes of a fork. */
  readonly isRequested: boolean
}

/** The result of a review. */
export interface Review {
  readonly number: number
  readonly head: string
  readonly environment: string
  /** The comment in Markdown. */
  readonly text: string
  readonly status: CommitStatus
  readonly comment: 'created' | 'edited' | 'unchanged' | 'not published'
}

/** Computes the effect of a merge request on nodes, and publishes it as a comment and as the status of its commit. */
export async function reviewMergeRequest(order: ReviewOrder, parts: ReviewParts): Promise<Review> {
  const host = parts.openHost(order.source)
  const request = await findRequest(host, order.request)
  const { number, head, target, state } = request
  if (state !== 'open') throwIssue(reviewIssues.REVIEW_CLOSED, { number, state })
  const setStatus = async (status: CommitStatus): Promise<void> => {
    // A missing status must not keep the comment from being published.
    if (order.publishes) await host.setStatus(head, status).catch((error: unknown) => parts.warn(error))
  }
  const url = order.source.review?.consoleUrl
  if (request.isFork && !order.isRequested && !order.source.review?.forks) {
    await setStatus({ state: 'pending', description: `From a fork: run 'plumb code review ${number}'`, url })
    throwIssue(reviewIssues.REVIEW_FORK, { number })
  }
  const [environment] = parts.listEnvironments(order.source.name, target)
  if (environment === undefined) return throwIssue(reviewIssues.REVIEW_NO_ENVIRONMENT, { number, branch: target })
  await setStatus({ state: 'pending', description: 'Compiling the catalogs of the nodes', url })
  try {
    const content = await computeContent(order.source, { request, environment }, parts)
    const text = formatReviewComment(content, host)
    const status = createImpactStatus(content, host)
    const comment = order.publishes
      ? await publish(host, request, { text, source: order.source.name })
      : 'not published'
    await setStatus(status)
    return { number, head, environment, text, status, comment }
  } catch (error) {
    await setStatus({ state: 'error', description: 'The effect on nodes could not be computed', url })
    throw error
  }
}

/** Finds a merge request by its number or by its newest commit. Throws REVIEW_NO_MERGE_REQUEST. */
async function findRequest(host: GitHost, request: number | string): Promise<MergeRequest> {
  if (typeof request === 'number') return host.getMergeRequest(request)
  const found = await host.listMergeRequests(request, undefined)
  const open = found.find(({ head, state }) => head === request && state === 'open')
  return open ?? throwIssue(reviewIssues.REVIEW_NO_MERGE_REQUEST, { commit: request })
}

async function computeContent(
  source: CodeSource,
  { request, environment }: { readonly request: MergeRequest; readonly environment: string },
  parts: ReviewParts,
): Promise<ReviewContent> {
  const { number, head } = request
  const { objects, approvals } = parts
  await parts.fetchHead(source, request)
  const served = await objects.resolveRef(formatLastServedRef(environment))
  const own = served && (await approvals.toSourceCommit(served))
  const base = own && (await objects.mergeBase(own, head))
  if (!own || !base) return throwIssue(reviewIssues.REVIEW_NO_BASE, { number, environment })
  const finding = await parts.computeImpact({ environment, old: base, new: head })
  const known = toKnownImpact(finding)
  const rules = await approvals.readRulesOf(own)
  const paths = await listChangedPaths({ gitDir: objects.path, quarantine: false }, base, head)
  const matching = findMatchingRules(rules, { ...known, environment, isNew: false, paths })
  return {
    ...{ source: source.name, environment, head, impact: known.impact, untested: known.untested ?? 0 },
    ...{ rules: matching.map(formatApprovalRule), consoleUrl: source.review?.consoleUrl },
  }
}

/** Publishes the comment, unless the merge request has a new commit, whose review publishes its own. Throws REVIEW_MOVED. */
async function publish(
  host: GitHost,
  { number, head }: MergeRequest,
  { text, source }: { readonly text: string; readonly source: string },
): Promise<Review['comment']> {
  const now = await host.getMergeRequest(number)
  if (now.head !== head) throwIssue(reviewIssues.REVIEW_MOVED, { number })
  return publishComment(host, number, { marker: formatCommentMarker(source, host), text })
}
