import { LRUCache } from 'lru-cache'
import { throwIssue } from '../../base/issue.ts'
import { formatDocumentName, MemberIndex, type RolloutMembers } from '../../deploy/rollout/rollout-document.ts'
import {
  type EnvironmentRollout,
  formatRolloutState,
  isActive,
  parseRolloutState,
  type RolloutStep,
} from '../../deploy/rollout/rollout-state.ts'
import { rolloutStateIssues } from '../../deploy/rollout/state-issues.ts'
import type { RolloutRows } from '../../store/rollouts/rollout-rows.ts'

/** The state of an environment, and the clock of the store at the time of reading. */
export interface RolloutEntry {
  readonly environment: string
  /** 0 if the environment has no row. */
  readonly version: number
  readonly state: EnvironmentRollout | undefined
}

/** Values of the store on which a change depends. */
export interface StoreClock {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Id of the newest report. */
  readonly lastReport: number
}

/** A change of an environment's state. */
export interface StateChange {
  readonly state: EnvironmentRollout
  readonly step: RolloutStep | undefined
  /** A new document of the state's rollout. */
  readonly members?: RolloutMembers | undefined
}

/** Number of attempts to change a row that other servers change at the same time. */
const attempts = 5
/** Number of documents in memory. */
const keptDocuments = 200

/**
 * The rows of all rollouts in memory, as of the last reading. Every change is a compare-and-set of one row, so that
 * several servers take each step once.
 */
export class RolloutTable {
  readonly #rows: RolloutRows
  readonly #entries = new Map<string, RolloutEntry>()
  readonly #documents = new LRUCache<string, Promise<MemberIndex>>({ max: keptDocuments })
  #clock: StoreClock & { readonly readAt: number } = { now: 0, lastReport: 0, readAt: 0 }
  #isRead = false
  /** Number of the last change or reading of this process, and the number of each environment's last change. */
  #turn = 0
  readonly #changed = new Map<string, number>()
  #reading: Promise<void> = Promise.resolve()

  constructor(rows: RolloutRows) {
    this.#rows = rows
  }

  /** True once the rows were read. */
  get isRead(): boolean {
    return this.#isRead
  }

  /** Milliseconds since the last successful reading. */
  get ageMs(): number {
    return performance.now() - this.#clock.readAt
  }

  get entries(): readonly RolloutEntry[] {
    return [...this.#entries.values()]
  }

  /** The clock of the store now, from its last reading. */
  get clock(): StoreClock {
    const { now, lastReport, readAt } = this.#clock
    return { now: now + Math.round(performance.now() - readAt), lastReport }
  }

  get(environment: string): RolloutEntry {
    return this.#entries.get(environment) ?? { environment, version: 0, state: undefined }
  }

  /** Reads all rows. Throws if the store cannot be read. */
  read(): Promise<void> {
    // One after the other, so that an older result never replaces a newer one.
    const next = this.#reading.then(() => this.#readRows())
    this.#reading = next.catch(() => {})
    return next
  }

  async #readRows(): Promise<void> {
    const started = ++this.#turn
    const versions = Object.fromEntries([...this.#entries].map(([environment, { version }]) => [environment, version]))
    const { rows, now, lastReport } = await this.#rows.read(versions)
    const found = new Set(rows.map(({ environment }) => environment))
    // A reading that overlaps a change of this process may be older than the change.
    const isOlder = (environment: string) => (this.#changed.get(environment) ?? 0) > started
    for (const environment of this.#entries.keys())
      if (!found.has(environment) && !isOlder(environment)) this.#entries.delete(environment)
    for (const { environment, version, state } of rows)
      if (state !== undefined && !isOlder(environment))
        this.#entries.set(environment, { environment, version, state: parseRolloutState(state) })
    this.#clock = { now, lastReport, readAt: performance.now() }
    this.#isRead = true
  }

  /** Returns the plan and the members of an environment's rollout; undefined if there is none. */
  async members(environment: string): Promise<MemberIndex | undefined> {
    const { rollout } = this.get(environment).state ?? {}
    if (!rollout) return undefined
    const name = formatDocumentName(environment, rollout)
    const known = this.#documents.get(name)
    if (known) return known
    const loaded = this.#loadDocument(name)
    this.#documents.set(name, loaded)
    loaded.catch(() => this.#documents.delete(name))
    return loaded
  }

  /**
   * Changes the state of an environment. `decide` receives the newest state, and again if another server changed it
   * meanwhile; it returns undefined to leave the state as it is. Returns the change, or undefined without one. Throws
   * ROLLOUT_CHANGED.
   */
  async change(
    environment: string,
    decide: (
      state: EnvironmentRollout | undefined,
      clock: StoreClock,
    ) => StateChange | undefined | Promise<StateChange | undefined>,
  ): Promise<StateChange | undefined> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0 || !this.#isRead) await this.read()
      const { version, state } = this.get(environment)
      const change = await decide(state, this.clock)
      if (!change) return undefined
      const document = change.members && {
        name: formatDocumentName(environment, change.state.rollout!),
        content: JSON.stringify(change.members),
      }
      if (!(await this.#rows.change({ environment, version, state: formatRolloutState(change.state), document })))
        continue
      if (change.members) this.#documents.set(document!.name, Promise.resolve(new MemberIndex(change.members)))
      this.#entries.set(environment, { environment, version: version + 1, state: change.state })
      this.#changed.set(environment, ++this.#turn)
      return change
    }
    return throwIssue(rolloutStateIssues.ROLLOUT_CHANGED, { environment })
  }

  /** Removes the state of an environment that no longer exists. */
  async remove(environment: string): Promise<void> {
    const { version } = this.get(environment)
    if (version === 0) return
    await this.#rows.change({ environment, version, state: undefined })
    this.#entries.delete(environment)
    this.#changed.delete(environment)
  }

  /** True if a rollout has not ended or a push waits for it. */
  get hasActive(): boolean {
    const hasWork = (state: EnvironmentRollout) => isActive(state.rollout) || state.queued !== undefined
    return this.entries.some(({ state }) => state?.gone === undefined && state !== undefined && hasWork(state))
  }

  async #loadDocument(name: string): Promise<MemberIndex> {
    const content = await this.#rows.readDocument(name)
    if (content === undefined) throw new Error(`The document ${name} of a rollout is missing in the store`)
    return new MemberIndex(JSON.parse(content) as RolloutMembers)
  }
}
