import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, throwIssue } from '../../base/issue.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { computeMergeTree, listChangedPaths, readTreeId } from '../../code/git/merge-tree.ts'
import type { ApprovalRule } from '../approvals/approval-rules.ts'
import { findMatchingRules, type KnownImpact } from './approval-match.ts'
import { Approvers } from './approvers.ts'
import type { GitHost, MergeRequest } from './git-host.ts'
import { reviewIssues } from './review-issues.ts'

/** A move of an environment to a new commit of its source, which may need approval. */
export interface ReviewedMove extends KnownImpact {
  readonly environment: string
  /** Name of the branch in the source. */
  readonly branch: string
  /** The commit with which the new one is compared: the served one, or that of another environment for a new one. */
  readonly old: string
  readonly new: string
  readonly isNew: boolean
}

/** Access to the repository and to the Git host. */
export interface ApprovalSources {
  readonly place: GitPlace
  readonly objects: Pick<GitObjectSource, 'firstParents'>
  /** Opens the Git host. Throws REVIEW_NOT_CONFIGURED. */
  openHost(): GitHost
  /** Fetches the newest commit of a merge request into the repository, if it is missing. */
  fetchHead(request: MergeRequest): Promise<void>
}

/**
 * Returns the reason why a move lacks approvals that the rules demand; undefined if it may be served. Throws if the Git
 * host fails.
 */
export async function findMissingApproval(
  move: ReviewedMove,
  rules: readonly ApprovalRule[],
  sources: ApprovalSources,
): Promise<string | undefined> {
  const paths = await listChangedPaths(sources.place, move.old, move.new)
  const matching = findMatchingRules(rules, { ...move, paths })
  if (matching.length === 0) return undefined
  const why = await new MergedRequests(move, matching, sources).findUnapproved()
  if (why === undefined) return undefined
  const names = matching.map(({ name }) => name)
  return createPuppetError(reviewIssues.APPROVAL_MISSING, { rules: names, why }).message
}

/**
 * The merge requests from which the commits of a move come. A commit counts as merged if its files are exactly those of
 * a merge of an earlier commit of the branch with the approved commit of the request: neither a commit that somebody
 * pushed to the branch nor an edit during the merge stays unnoticed.
 */
class MergedRequests {
  readonly #move: ReviewedMove
  readonly #rules: readonly ApprovalRule[]
  readonly #sources: ApprovalSources
  readonly #host: GitHost
  readonly #approvers: Approvers

  constructor(move: ReviewedMove, rules: readonly ApprovalRule[], sources: ApprovalSources) {
    this.#move = move
    this.#rules = rules
    this.#sources = sources
    this.#host = sources.openHost()
    this.#approvers = new Approvers(this.#host)
  }

  async findUnapproved(): Promise<string | undefined> {
    const { place } = this.#sources
    const earlier = await this.#listEarlierCommits()
    const served = await readTreeId(place, this.#move.old)
    let commit = this.#move.new
    while ((await readTreeId(place, commit)) !== served) {
      const found = await this.#findBase(commit, earlier.slice(earlier.indexOf(commit) + 1))
      if ('why' in found) return found.why
      commit = found.base
    }
    return undefined
  }

  /** Returns the commits of the branch, from the new one back to the old one. Throws APPROVALS_TOO_LONG. */
  async #listEarlierCommits(): Promise<readonly string[]> {
    const { old, new: commit } = this.#move
    const history = await this.#sources.objects.firstParents(commit, old)
    // After a forced push, the old commit is not in the history.
    if (!history) return [commit, old]
    const { bound } = budgets.review.commits
    if (history.length - 1 > bound) throwIssue(reviewIssues.APPROVALS_TOO_LONG, { bound })
    return history.map((each) => each.commit)
  }

  /** Returns the earlier commit to which an approved merge request added the changes of a commit, or why there is none. */
  async #findBase(
    commit: string,
    earlier: readonly string[],
  ): Promise<{ readonly base: string } | { readonly why: string }> {
    const { branch } = this.#move
    const requests = (await this.#host.listMergeRequests(commit, branch)).filter(
      ({ target, state, head, results }) =>
        target === branch && state !== 'closed' && [head, ...results].some((each) => commit.startsWith(each)),
    )
    let why = `the commit ${commit} does not come from a merge request for ${branch}`
    for (const request of requests) {
      const missing = await this.#approvers.findMissing(request, this.#rules)
      if (missing !== undefined) {
        why = `merge request ${request.number} lacks approvals of its newest commit: ${missing}`
        continue
      }
      await this.#sources.fetchHead(request)
      const base = await this.#findMergedBase(commit, request, earlier)
      if (base !== undefined) return { base }
      why = `the commit ${commit} has other changes than the approved merge request ${request.number}`
    }
    return { why }
  }

  /** The earliest commit counts: after a rebase, a part of the request is also in the commits after it. */
  async #findMergedBase(
    commit: string,
    { head }: MergeRequest,
    earlier: readonly string[],
  ): Promise<string | undefined> {
    const { place } = this.#sources
    const tree = await readTreeId(place, commit)
    for (const base of earlier.toReversed()) if ((await computeMergeTree(place, base, head)) === tree) return base
    return undefined
  }
}
