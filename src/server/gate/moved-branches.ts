import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import type { BranchMove } from '../../code/environments/git/git-environments-options.ts'
import { environmentIssues } from '../../code/environments/issues.ts'
import { noneLike } from '../../deploy/check.ts'
import type { GateAnswer } from '../../deploy/gate/answer.ts'
import { gateMode } from '../../deploy/gate/modes.ts'
import { hasPassed, type PassedCommits, type PassedMove } from '../../deploy/gate/passed-commits.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'

/** Parts of a server that tries what came past the hooks. */
export interface MovedBranchesParts {
  readonly settings: Pick<Settings, 'gate'>
  /** The commits that have passed: those of the hook, and those of the server. */
  readonly passed: readonly Pick<PassedCommits, 'before'>[]
  /** Those of the server. */
  readonly own: Pick<PassedCommits, 'note'>
  say(level: 'info' | 'warn' | 'error', message: string): void
}

/** The work of trying. */
export interface TryMoves {
  /** The gate's word; `undefined` where no node could be asked. */
  tryMove(move: BranchMove, signal: AbortSignal): Promise<GateAnswer | undefined>
  /** Hears that there is a word on a branch. */
  decided(): Promise<void>
}

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused' | 'failed'; readonly why: string; readonly at: number }

/** The gate's word on one move of a branch. */
interface Verdict {
  readonly old: string | undefined
  readonly new: string
  outcome?: Outcome
  /** Present while it is tried, for the first time or once more. */
  running?: Promise<void> | undefined
}

/** Milliseconds that a look at the branches waits for a word: most come sooner than anybody asks. */
const patienceMs = 5000
/** Milliseconds for which a refusal holds: nodes and their facts change. */
const holdsMs = 55_000

/**
 * Branches that moved without a push that passed the gate: somebody wrote the ref in the repository, or took a hook away.
 * They are tried aside, one after the other, before their commits are served.
 */
export class MovedBranches {
  readonly #parts: MovedBranchesParts
  readonly #verdicts = new LRUCache<string, Verdict>({ max: budgets.push.passedCommits.bound })
  readonly #closing = new AbortController()
  #work: TryMoves | undefined
  #running = 0
  #isAsked = false

  constructor(parts: MovedBranchesParts) {
    this.#parts = parts
  }

  /**
   * Tries once it is known how nodes ask. Where branches moved while there was no server, done when they are served,
   * refused, or take long: who starts a server looks what it serves.
   */
  async begin(ready: Promise<void>, work: TryMoves): Promise<void> {
    const begun = ready.then(() => {
      this.#work = work
      return this.#isAsked ? work.decided().catch(() => {}) : undefined
    })
    if (this.#isAsked) await begun
  }

  /** Throws what keeps a commit from being served: GATE_WAITS, GATE_REFUSED, GATE_FAILED. */
  async pass(move: BranchMove): Promise<void> {
    if (
      gateMode(move.environment, this.#parts.settings) !== 'refuse' ||
      (await hasPassed(passedMove(move), this.#parts.passed))
    )
      return
    this.#isAsked = true
    const verdict = this.#verdictOf(move)
    if (this.#work && this.#isDue(verdict)) this.#try(verdict, move, this.#work)
    // Who comes behind another one is told when there is a word.
    if (!verdict.outcome && verdict.running && this.#running === 1) await this.#wait(verdict.running)
    const { outcome } = verdict
    if (!outcome) return fail(environmentIssues.GATE_WAITS, {})
    const { environment } = move
    if (outcome.kind === 'refused') fail(environmentIssues.GATE_REFUSED, { environment, why: outcome.why })
    if (outcome.kind === 'failed') fail(environmentIssues.GATE_FAILED, { why: outcome.why })
  }

  /** Lets a commit pass untried. */
  async skip(move: BranchMove): Promise<void> {
    this.#verdictOf(move).outcome = { kind: 'passed' }
    await this.#keep(move, 'skipped')
  }

  /** Ends what is tried; to be called before the threads that try it end. */
  close(): void {
    this.#closing.abort()
  }

  async #wait(running: Promise<void>): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#closing.signal])
    await Promise.race([running, wait(patienceMs, undefined, { signal }).catch(() => {})])
    over.abort()
  }

  #verdictOf({ environment, old, new: commit }: BranchMove): Verdict {
    const known = this.#verdicts.get(environment)
    if (known?.old === old && known?.new === commit) return known
    const verdict: Verdict = { old, new: commit }
    this.#verdicts.set(environment, verdict)
    return verdict
  }

  #isDue({ outcome, running }: Verdict): boolean {
    if (running || this.#closing.signal.aborted) return false
    return !outcome || (outcome.kind !== 'passed' && Date.now() - outcome.at > holdsMs)
  }

  #try(verdict: Verdict, move: BranchMove, work: TryMoves): void {
    const { environment, new: commit } = move
    this.#parts.say('info', `Environment ${environment} is not yet at ${commit}: it came past the hooks, and is tried`)
    this.#running++
    verdict.running = this.#outcomeOf(move, work)
      .then((outcome) => {
        // Somebody may have let it pass meanwhile.
        if (verdict.outcome?.kind !== 'passed') verdict.outcome = outcome
      })
      .finally(() => {
        this.#running--
        verdict.running = undefined
        if (!this.#closing.signal.aborted) void work.decided().catch(() => {})
      })
  }

  async #outcomeOf(move: BranchMove, work: TryMoves): Promise<Outcome> {
    try {
      const answer = await work.tryMove(move, this.#closing.signal)
      if (answer?.refusal !== undefined) {
        for (const line of answer.lines) this.#parts.say('error', line)
        return { kind: 'refused', why: answer.refusal, at: Date.now() }
      }
      await this.#keep(move, answer?.gate ?? 'untried')
      return { kind: 'passed' }
    } catch (error) {
      return { kind: 'failed', why: errorText(error), at: Date.now() }
    }
  }

  async #keep(move: BranchMove, word: Parameters<PassedCommits['note']>[1]): Promise<void> {
    const { environment, new: commit } = move
    await this.#parts.own.note(passedMove(move), word).catch((error) => {
      const what = `That ${commit} has passed the gate of ${environment}`
      this.#parts.say('warn', `${what} is forgotten at the next start: ${errorText(error)}`)
    })
  }
}

function passedMove({ environment, old, new: after }: BranchMove): PassedMove {
  return { environment, before: old ?? noneLike(after), after }
}
