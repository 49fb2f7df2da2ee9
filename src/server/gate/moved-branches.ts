import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { environmentIssues } from '../../code/environments/issues.ts'
import { getGateMode } from '../../deploy/gate/gate-modes.ts'
import type { GateReply } from '../../deploy/gate/gate-reply.ts'
import { hasPassedGate, type PassedCommits, type PassedMove } from '../../deploy/gate/passed-commits.ts'
import { createNullOid } from '../../deploy/push-check.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'

/** Dependencies of the gate for branches that moved without a push. */
export interface MovedBranchesParts {
  readonly settings: Pick<Settings, 'gate'>
  /** Branch moves that have passed the gate, as recorded by the hooks and by the server. */
  readonly passed: readonly Pick<PassedCommits, 'before'>[]
  /** The server's own record of branch moves that have passed the gate. */
  readonly own: Pick<PassedCommits, 'note'>
  /** Returns true if a move needs approvals; undefined if the code has no sources. */
  readonly hasApprovalRules?: ((move: BranchMove) => Promise<boolean>) | undefined
  say(level: 'info' | 'warn' | 'error', message: string): void
}

/** The gate's decision about a move. */
export interface MoveDecision {
  /** The result of the compilations; undefined if no node could be compiled. */
  readonly reply: GateReply | undefined
  /** The reason why the move needs further approvals; undefined if it needs none. */
  readonly unapproved: string | undefined
}

/** Functions that run the gate for a branch move. */
export interface MoveTrials {
  /** Runs the gate, and checks the approvals. */
  tryMove(move: BranchMove, signal: AbortSignal): Promise<MoveDecision>
  /** Called after the gate has decided on a branch. */
  decided(): Promise<void>
}

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused' | 'failed'; readonly why: string; readonly until: number }

/** The gate's decision on one move of a branch. */
interface Verdict {
  readonly old: string | undefined
  readonly new: string
  outcome?: Outcome
  /** Set while the gate checks the move, for the first time or again. */
  running?: Promise<void> | undefined
}

/** Time in milliseconds for which `pass` waits for the gate's decision; most decisions are faster. */
const patienceMs = 5000
/** Time in milliseconds after which a rejected move is checked again, since nodes and facts change. */
const holdsMs = 55_000
/** Time in milliseconds after which a move without approvals is checked again: a webhook announces an approval. */
const approvalHoldsMs = 5000

/**
 * Runs the gate for branches that moved without a gated push, because a ref was written directly or
 * a hook was removed. The moves are tried one at a time in the background, before their commits are
 * deployed.
 */
export class MovedBranches {
  readonly #parts: MovedBranchesParts
  readonly #verdicts = new LRUCache<string, Verdict>({ max: budgets.push.passedCommits.bound })
  readonly #closing = new AbortController()
  #work: MoveTrials | undefined
  #running = 0
  #isAsked = false

  constructor(parts: MovedBranchesParts) {
    this.#parts = parts
  }

  /**
   * Starts to check moved branches after the nodes' stored requests are read. If branches moved
   * while the server was down, waits for the gate's decisions up to the time limit, since an
   * operator checks the deployed code after a start.
   */
  async begin(ready: Promise<void>, work: MoveTrials): Promise<void> {
    const begun = ready.then(() => {
      this.#work = work
      return this.#isAsked ? work.decided().catch(() => {}) : undefined
    })
    if (this.#isAsked) await begun
  }

  /**
   * Checks that a commit may be deployed. Throws GATE_WAITS, GATE_REFUSED or GATE_FAILED if it may
   * not.
   */
  async pass(move: BranchMove): Promise<void> {
    const { settings, passed, hasApprovalRules } = this.#parts
    const isGated = getGateMode(move.environment, settings) === 'refuse'
    if (!isGated && !hasApprovalRules) return
    if (await hasPassedGate(toPassedMove(move), passed)) return
    if (!isGated && !(await hasApprovalRules?.(move))) return
    this.#isAsked = true
    const verdict = this.#getVerdict(move)
    if (this.#work && this.#isDue(verdict)) this.#try(verdict, move, this.#work)
    // Do not wait for a move that is queued behind another; `decided` is called after the gate's decision.
    if (!verdict.outcome && verdict.running && this.#running === 1) await this.#wait(verdict.running)
    const { outcome } = verdict
    if (!outcome) return throwIssue(environmentIssues.GATE_WAITS, {})
    const { environment } = move
    if (outcome.kind === 'refused') throwIssue(environmentIssues.GATE_REFUSED, { environment, why: outcome.why })
    if (outcome.kind === 'failed') throwIssue(environmentIssues.GATE_FAILED, { why: outcome.why })
  }

  /** Lets a commit pass although the gate has not accepted it. */
  async skip(move: BranchMove): Promise<void> {
    this.#getVerdict(move).outcome = { kind: 'passed' }
    await this.#keep(move, 'skipped')
  }

  /** Aborts the current move; must be called before the compile threads end. */
  close(): void {
    this.#closing.abort()
  }

  async #wait(running: Promise<void>): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#closing.signal])
    await Promise.race([running, wait(patienceMs, undefined, { signal }).catch(() => {})])
    over.abort()
  }

  #getVerdict({ environment, old, new: commit }: BranchMove): Verdict {
    const known = this.#verdicts.get(environment)
    if (known?.old === old && known?.new === commit) return known
    const verdict: Verdict = { old, new: commit }
    this.#verdicts.set(environment, verdict)
    return verdict
  }

  #isDue({ outcome, running }: Verdict): boolean {
    if (running || this.#closing.signal.aborted) return false
    return !outcome || (outcome.kind !== 'passed' && Date.now() > outcome.until)
  }

  #try(verdict: Verdict, move: BranchMove, work: MoveTrials): void {
    const { environment, new: commit } = move
    this.#parts.say(
      'info',
      `Environment ${environment} is not yet at ${commit}: the commit was pushed without the hooks, and the gate is testing it`,
    )
    this.#running++
    verdict.running = this.#tryMove(move, work)
      .then((outcome) => {
        // `skip` may have been called in the meantime.
        if (verdict.outcome?.kind !== 'passed') verdict.outcome = outcome
      })
      .finally(() => {
        this.#running--
        verdict.running = undefined
        if (!this.#closing.signal.aborted) void work.decided().catch(() => {})
      })
  }

  async #tryMove(move: BranchMove, work: MoveTrials): Promise<Outcome> {
    try {
      const { reply, unapproved } = await work.tryMove(move, this.#closing.signal)
      if (reply?.refusal !== undefined) {
        for (const line of reply.lines) this.#parts.say('error', line)
        return { kind: 'refused', why: reply.refusal, until: Date.now() + holdsMs }
      }
      if (unapproved !== undefined) return { kind: 'refused', why: unapproved, until: Date.now() + approvalHoldsMs }
      await this.#keep(move, reply?.gate ?? 'untried')
      return { kind: 'passed' }
    } catch (error) {
      return { kind: 'failed', why: formatError(error), until: Date.now() + holdsMs }
    }
  }

  async #keep(move: BranchMove, word: Parameters<PassedCommits['note']>[1]): Promise<void> {
    const { environment, new: commit } = move
    await this.#parts.own.note(toPassedMove(move), word).catch((error) => {
      const what = `The record that ${commit} has passed the gate of ${environment}`
      this.#parts.say('warn', `${what} will be lost at the next start: ${formatError(error)}`)
    })
  }
}

function toPassedMove({ environment, old, new: after }: BranchMove): PassedMove {
  return { environment, before: old ?? createNullOid(after), after }
}
