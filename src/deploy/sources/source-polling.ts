import { PuppetError } from '../../base/issue.ts'
import type { MirrorResult } from '../../code/git/remotes/remote-mirror.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { CodeSource } from './code-source.ts'
import type { SourceFetch, SourceStatus } from './source-status.ts'

/** Dependencies of all followed sources. */
export interface FollowParts {
  /** Fetches the source once. */
  mirror(source: CodeSource, signal: AbortSignal): Promise<MirrorResult>
  /** Called after each periodic fetch, to select the environments again. */
  fetched(fetch: SourceFetch): Promise<void>
  /** Called at the end of each periodic or requested fetch. */
  ended(fetch: SourceFetch): void
  now(): number
  log(level: 'notice' | 'warning' | 'err', message: string): void
}

/** Milliseconds before a failed fetch is repeated. The delay doubles after each failure. */
const firstWaitMs = 5000
/** Longest wait in milliseconds, unless the interval is longer. */
const longestWaitMs = 300_000

/** Returns the milliseconds before the next fetch, after a number of consecutive failures. */
export function computeRetryDelay(failures: number, intervalMs: number): number {
  if (failures === 0) return intervalMs
  return Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 20), Math.max(longestWaitMs, intervalMs))
}

/** A source that is fetched periodically and on request; never twice at once. */
export class FollowedSource {
  readonly #parts: FollowParts
  readonly #closing = new AbortController()
  #source: CodeSource
  #running: Promise<SourceFetch> | undefined
  #asked: Promise<SourceFetch> | undefined
  #timer: NodeJS.Timeout | undefined
  #fetched: number | undefined
  #next: number | undefined
  #trouble: SourceStatus['trouble']
  /** Configured commits that the remote does not have. */
  #missing: readonly string[] = []
  #begun = false

  constructor(source: CodeSource, parts: FollowParts) {
    this.#source = source
    this.#parts = parts
  }

  get source(): CodeSource {
    return this.#source
  }

  /** Replaces the source after a change of the sources file. The next fetch starts immediately. */
  set source(source: CodeSource) {
    this.#source = source
    if (this.#begun) this.#schedule(0)
  }

  get status(): Omit<SourceStatus, 'environments'> {
    return {
      name: this.#source.name,
      remote: this.#source.remote.url,
      fetched: this.#fetched,
      trouble: this.#trouble,
      next: this.#running ? undefined : this.#next,
      interval: this.#source.intervalMs,
      warnings: this.#missing,
    }
  }

  /** Starts periodic fetches. The first fetch starts immediately, unless the source was fetched before. */
  begin(): void {
    this.#begun = true
    const isTried = this.#fetched !== undefined || this.#trouble !== undefined
    this.#schedule(isTried ? computeRetryDelay(this.#trouble?.times ?? 0, this.#source.intervalMs) : 0)
  }

  /**
   * Fetches the source. A request during a fetch shares the next fetch with other requests, since the running fetch may
   * miss the change. Never throws.
   */
  fetch(): Promise<SourceFetch> {
    if (!this.#running) return this.#run()
    this.#asked ??= this.#running.then(() => {
      this.#asked = undefined
      return this.#run()
    })
    return this.#asked
  }

  /** Aborts a running fetch and waits for its end. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await (this.#asked ?? this.#running)
  }

  #run(): Promise<SourceFetch> {
    clearTimeout(this.#timer)
    const once = this.#once().then((fetch) => {
      // A fetch aborted by closing is not reported.
      if (!this.#closing.signal.aborted) this.#parts.ended(fetch)
      return fetch
    })
    this.#running = once.finally(() => {
      this.#running = undefined
      if (this.#begun) this.#schedule(computeRetryDelay(this.#trouble?.times ?? 0, this.#source.intervalMs))
    })
    return this.#running
  }

  #schedule(waitMs: number): void {
    if (this.#closing.signal.aborted) return
    clearTimeout(this.#timer)
    this.#next = this.#parts.now() + waitMs
    const fetchAndReport = async () => this.#parts.fetched(await this.fetch())
    this.#timer = setTimeout(
      () => void fetchAndReport().catch((error) => this.#parts.log('err', formatError(error))),
      waitMs,
    )
    this.#timer.unref()
  }

  async #once(): Promise<SourceFetch> {
    const { name } = this.#source
    const started = performance.now()
    const getElapsedMs = () => Math.round(performance.now() - started)
    try {
      const { changes, missing } = await this.#parts.mirror(this.#source, this.#closing.signal)
      this.#fetched = this.#parts.now()
      if (this.#trouble) this.#parts.log('notice', `Fetches of source ${name} succeed again`)
      this.#trouble = undefined
      this.#missing = [...missing].map(([commit, why]) => `The commit ${commit} could not be fetched: ${why}`)
      const result = changes.length > 0 ? 'changed' : 'unchanged'
      return { source: name, result, changes, error: undefined, hint: undefined, milliseconds: getElapsedMs() }
    } catch (error) {
      const message = formatError(error)
      const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
      this.#troubled(message, hint)
      return { source: name, result: 'failed', changes: [], error: message, hint, milliseconds: getElapsedMs() }
    }
  }

  /** Records a failure. A persistent failure is logged once. */
  #troubled(message: string, hint: string | undefined): void {
    const before = this.#trouble
    this.#trouble = { since: before?.since ?? this.#parts.now(), message, times: (before?.times ?? 0) + 1 }
    if (this.#closing.signal.aborted || before?.message === message) return
    this.#parts.log('err', `Source ${this.#source.name}: ${message}${hint === undefined ? '' : ` (hint: ${hint})`}`)
  }
}
