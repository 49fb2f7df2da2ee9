import { type ApprovalRule, formatApprovalRule } from '../approvals/approval-rules.ts'
import type { GitHost, MergeRequest } from './git-host.ts'

/** The approvals of merge requests and the members of teams, each of which the Git host is asked once. */
export class Approvers {
  readonly #host: GitHost
  readonly #accounts = new Map<number, readonly string[]>()
  readonly #members = new Map<string, boolean>()

  constructor(host: GitHost) {
    this.#host = host
  }

  /** Returns the demands of the rules that a merge request does not meet; undefined if it meets all. */
  async findMissing(request: MergeRequest, rules: readonly ApprovalRule[]): Promise<string | undefined> {
    const accounts = await this.#listAccounts(request)
    const missing: string[] = []
    for (const rule of rules) {
      let count = 0
      for (const account of accounts) if (await this.#mayApprove(account, rule)) count++
      if (count < rule.approvals) missing.push(`${formatApprovalRule(rule)} (has ${count})`)
    }
    return missing.length > 0 ? missing.join('; ') : undefined
  }

  /** Authors cannot approve their own merge requests; the host omits other people who changed the commits. */
  async #listAccounts(request: MergeRequest): Promise<readonly string[]> {
    const known = this.#accounts.get(request.number)
    if (known) return known
    const approving = new Set(await this.#host.listApprovers(request))
    const accounts = [...approving].filter((each) => !isSameAccount(each, request.author))
    this.#accounts.set(request.number, accounts)
    return accounts
  }

  async #mayApprove(account: string, { by }: ApprovalRule): Promise<boolean> {
    if (by === undefined || by.some((each) => isSameAccount(each, account))) return true
    for (const team of by.filter((each) => each.startsWith('@')))
      if (await this.#isMember(team.slice(1), account)) return true
    return false
  }

  async #isMember(team: string, account: string): Promise<boolean> {
    const key = `${team}\0${account}`
    const known = this.#members.get(key) ?? (await this.#host.isTeamMember(team, account))
    this.#members.set(key, known)
    return known
  }
}

/** Git hosts ignore case in the names of accounts. */
function isSameAccount(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
