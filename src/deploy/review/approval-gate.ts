import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { formatLastServedRef } from '../../code/git/ref-names.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { type ApprovalRule, approvalIssues, approvalsFile, parseApprovalRules } from '../approvals/approval-rules.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { CodeSources } from '../sources/code-sources.ts'
import { getSourceCommit } from '../synthesis/deployed-commit.ts'
import { findMissingApproval, type ReviewedMove } from './approval-check.ts'
import type { KnownImpact } from './approval-match.ts'
import type { GitHost, MergeRequest } from './git-host.ts'

/** Dependencies of the approval gate. */
export interface ApprovalGateParts {
  readonly objects: GitObjectSource
  readonly sources: Pick<CodeSources, 'all' | 'getRef'>
  /** Name of the default environment, whose rules also apply to new environments that they name. */
  readonly environment: string
  openHost(source: CodeSource): GitHost
  fetchHead(source: CodeSource, request: MergeRequest): Promise<void>
}

/** The rules for a move, and the commits that it compares. */
interface MoveRules {
  readonly rules: readonly ApprovalRule[]
  readonly old: string
  readonly new: string
}

/**
 * Decides whether a new commit of a code source has the approvals that approvals.yaml demands. The file is that of the
 * served commit, so that a change cannot relax the rules for itself.
 */
export class ApprovalGate {
  readonly #parts: ApprovalGateParts
  readonly #place: GitPlace

  constructor(parts: ApprovalGateParts) {
    this.#parts = parts
    this.#place = { gitDir: parts.objects.path, quarantine: false }
  }

  /** Returns true if the served commit has approval rules. Throws APPROVALS_SYNTAX, GIT_…. */
  async hasRules(move: BranchMove): Promise<boolean> {
    const found = await this.#readRules(move)
    return found !== undefined && found.rules.length > 0
  }

  /** Returns the reason why a move must not be served; undefined if it has all approvals. */
  async findMissing(move: BranchMove, known: KnownImpact): Promise<string | undefined> {
    try {
      const found = await this.#readRules(move)
      if (!found || found.rules.length === 0) return undefined
      const { sources, objects, openHost, fetchHead } = this.#parts
      const { source: name, ref } = sources.getRef(move.environment)
      const source = sources.all.find((each) => each.name === name)!
      // A tag or a commit is not the target of merge requests; no branch has such a name.
      const branch = ref.startsWith('heads/') ? ref.slice('heads/'.length) : `refs/${ref}`
      const { environment, old } = move
      const reviewed: ReviewedMove = { ...known, ...found, environment, branch, isNew: old === undefined }
      return await findMissingApproval(reviewed, found.rules, {
        ...{ place: this.#place, objects },
        openHost: () => openHost(source),
        fetchHead: (request) => fetchHead(source, request),
      })
    } catch (error) {
      return `its approvals could not be checked: ${formatError(error)}`
    }
  }

  /** Returns the rules of a commit of a source; empty without approvals.yaml. Throws APPROVALS_SYNTAX, GIT_…. */
  async readRulesOf(commit: string): Promise<readonly ApprovalRule[]> {
    const { objects } = this.#parts
    const { bound } = budgets.review.rulesFile
    const { child } = await objects.findChild(commit, approvalsFile, { maxBytes: budgets.push.paths.bound })
    if (!child) return []
    if (!child.mode.startsWith('100'))
      return throwIssue(approvalIssues.APPROVALS_SYNTAX, { file: approvalsFile, why: 'it is not a regular file' })
    return parseApprovalRules((await objects.readBlob(child.oid, { maxBytes: bound })).toString())
  }

  /** Returns the commit of the source from which a served commit was made. */
  async toSourceCommit(commit: string): Promise<string> {
    return (await getSourceCommit(this.#place, commit)) ?? commit
  }

  async #readRules(move: BranchMove): Promise<MoveRules | undefined> {
    const served = move.old ?? (await this.#parts.objects.resolveRef(formatLastServedRef(this.#parts.environment)))
    if (served === undefined) return undefined
    const [old, commit] = [await this.toSourceCommit(served), await this.toSourceCommit(move.new)]
    return { rules: await this.readRulesOf(old), old, new: commit }
  }
}
