import type { AheadProgress } from '../../code/environments/environments.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** Functions that a round of compiling ahead calls. */
export interface AheadWork {
  /**
   * Returns the nodes of an environment in compile order; empty if the environment has no compile
   * traces.
   */
  listNodes(environment: string): readonly string[]
  /**
   * Ensures that a node has a valid compile trace in an environment; returns `left` for a removed
   * or unknown node.
   */
  compile(node: string, environment: string, signal: AbortSignal): Promise<'compiled' | 'recalled' | 'left'>
}

/** Options of `AheadRounds`. */
export interface RoundsOptions {
  /** Number of nodes compiled concurrently. */
  readonly atOnce: number
  /** Waits before a round; rejects if the round ends meanwhile. */
  wait(signal: AbortSignal): Promise<void>
  say(level: 'info' | 'warn', message: string): void
}

interface Round {
  readonly environment: string
  readonly commit: string
  readonly nodes: readonly string[]
  readonly ending: AbortController
  next: number
  compiled: number
  recalled: number
  left: number
  failed: number
  /** Message of the first failure. */
  failure: string | undefined
}

/** Compiles ahead: one round per environment, started when a new commit is deployed. */
export class AheadRounds {
  readonly #options: RoundsOptions
  readonly #rounds = new Map<string, Round>()
  /** Rounds that have nodes left to compile, in round-robin order. */
  readonly #turns = new Set<Round>()
  /** Commits deployed before `begin` was called, by environment. */
  readonly #early = new Map<string, string>()
  #work: AheadWork | undefined
  #underWay = 0

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** Starts the rounds of all environments already deployed. */
  begin(work: AheadWork): void {
    this.#work = work
    for (const [environment, commit] of this.#early) this.served(environment, commit)
    this.#early.clear()
  }

  /**
   * Starts a round for a new commit of an environment and ends the environment's earlier round. `commit` is undefined
   * for a removed environment.
   */
  served(environment: string, commit: string | undefined): void {
    this.#end(environment)
    this.#early.delete(environment)
    if (commit === undefined || this.#options.atOnce === 0) return
    if (!this.#work) {
      this.#early.set(environment, commit)
      return
    }
    const nodes = this.#work.listNodes(environment)
    if (nodes.length === 0) return
    const counts = { next: 0, compiled: 0, recalled: 0, left: 0, failed: 0, failure: undefined }
    const round: Round = { environment, commit, nodes, ending: new AbortController(), ...counts }
    this.#rounds.set(environment, round)
    void this.#start(round)
  }

  /** Progress of an environment's last round; `undefined` if the environment has had no round. */
  getProgress(environment: string): AheadProgress | undefined {
    const round = this.#rounds.get(environment)
    if (!round) return undefined
    const { commit, nodes, compiled, recalled, left, failed } = round
    return { commit, nodes: nodes.length, compiled, recalled, left, failed }
  }

  /** Ends all rounds. */
  close(): void {
    this.#work = undefined
    for (const environment of [...this.#rounds.keys()]) this.#end(environment)
  }

  #end(environment: string): void {
    const round = this.#rounds.get(environment)
    if (!round) return
    this.#rounds.delete(environment)
    this.#turns.delete(round)
    round.ending.abort()
  }

  async #start(round: Round): Promise<void> {
    const { signal } = round.ending
    await this.#options.wait(signal).catch(() => {})
    if (signal.aborted) return
    this.#turns.add(round)
    while (this.#underWay < this.#options.atOnce && this.#underWay < round.nodes.length) void this.#goOn()
  }

  /** Compiles nodes one at a time, alternating between environments, until none is left. */
  async #goOn(): Promise<void> {
    this.#underWay++
    try {
      for (let round = this.#nextTurn(); round; round = this.#nextTurn())
        await this.#do(round, round.nodes[round.next++]!)
    } finally {
      this.#underWay--
    }
  }

  #nextTurn(): Round | undefined {
    const [round] = this.#turns
    if (!round) return undefined
    this.#turns.delete(round)
    // A round that has only this node left is not queued again.
    if (round.next + 1 < round.nodes.length) this.#turns.add(round)
    return round
  }

  async #do(round: Round, node: string): Promise<void> {
    const { ending, environment } = round
    try {
      round[await this.#work!.compile(node, environment, ending.signal)]++
    } catch (error) {
      if (ending.signal.aborted) return
      round.failed++
      round.failure ??= `${node}: ${formatError(error)}`
    }
    const { compiled, recalled, left, failed, nodes } = round
    if (!ending.signal.aborted && compiled + recalled + left + failed === nodes.length) this.#tell(round)
  }

  #tell({ environment, commit, nodes, compiled, recalled, failed, failure }: Round): void {
    const { say } = this.#options
    if (compiled > 0)
      say(
        'info',
        `Environment ${environment} at ${commit}: compiled the catalogs of ${compiled} of ${nodes.length} nodes ahead; ${recalled} were up to date`,
      )
    if (failure !== undefined)
      say(
        'warn',
        `Environment ${environment} at ${commit}: catalog compilation failed for ${failed} of ${nodes.length} nodes: ${failure}`,
      )
  }
}
