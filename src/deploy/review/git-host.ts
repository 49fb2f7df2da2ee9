import type { MarkdownSyntax } from '../impact/write/markdown-text.ts'
import type { HostClient } from './host-client.ts'

/** A merge request (a pull request, on most hosts). */
export interface MergeRequest {
  readonly number: number
  readonly state: 'open' | 'merged' | 'closed'
  /** Name of the author's account. */
  readonly author: string
  /** The newest commit of the merge request. */
  readonly head: string
  /** Name of the branch that receives the changes. */
  readonly target: string
  /** Ref of the repository that leads to the newest commit. */
  readonly ref: string
  /** True if the commits come from another repository, or from an unknown one. */
  readonly isFork: boolean
  /** Commits that the host created on the target branch when it merged the request, as far as its API lists them. */
  readonly results: readonly string[]
}

/** A status that the host shows at a commit. */
export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure' | 'error'
  /** A sentence without markup. */
  readonly description: string
  /** Link for details. */
  readonly url: string | undefined
}

/** A comment of a merge request. */
export interface HostComment {
  readonly id: string
  /** Identifies the author's account: equal to `getOwnAccount` for comments of this server. */
  readonly author: string | undefined
  readonly text: string
  /** Revision number, on hosts that require it for an edit. */
  readonly version?: number | undefined
}

/**
 * The operations of a Git host on the merge requests of one repository. All texts in results come from outside. The
 * operations throw REVIEW_… if the host fails or answers in another form.
 */
export interface GitHost {
  readonly syntax: MarkdownSyntax
  /** Largest number of characters of a comment. */
  readonly maxComment: number
  /** Largest number of characters of the description of a status. */
  readonly maxDescription: number
  getMergeRequest(number: number): Promise<MergeRequest>
  /**
   * Returns merge requests that contain a commit, or that brought it to a branch, as the host associates them; it may
   * return others, too. `branch` is the target if it is known.
   */
  listMergeRequests(commit: string, branch: string | undefined): Promise<readonly MergeRequest[]>
  /** Returns the identifier of the account of the token, as authors of comments have it. */
  getOwnAccount(): Promise<string>
  /** Calls `each` with pages of comments, the oldest first, until it returns true. */
  scanComments(number: number, each: (comments: readonly HostComment[]) => boolean): Promise<void>
  createComment(number: number, text: string): Promise<void>
  editComment(number: number, comment: HostComment, text: string): Promise<void>
  /** Sets the status of a commit; `name` distinguishes several of a commit, by default `impactStatus`. */
  setStatus(commit: string, status: CommitStatus, name?: string): Promise<void>
  /**
   * Returns the names of the accounts that approve exactly the newest commit of a merge request, and that may write
   * to the repository. Omitted are approvals of older commits, those before the last change of the target branch, and
   * those of people who pushed, wrote or committed one of the commits, as far as the API of the host lists them.
   */
  listApprovers(request: MergeRequest): Promise<readonly string[]>
  /** Returns true if an account belongs to a team: `ORGANIZATION/TEAM`, or the path of a group. */
  isTeamMember(team: string, account: string): Promise<boolean>
}

/** A kind of Git host: the address of its API, and its operations. */
export interface GitHostKind {
  /** Returns the address of the API of a host with this web address. */
  getApiAddress(url: string): string
  /** Headers with which requests identify their sender. */
  getCredentials(token: string, username: string | undefined): Readonly<Record<string, string>>
  open(client: HostClient, repository: string): GitHost
}

/** Name of the status of a commit that shows its effect on nodes. */
export const impactStatus = 'plumbline/impact'

/** Name of the status of a commit that shows its rollout. */
export const rolloutStatus = 'plumbline/rollout'
