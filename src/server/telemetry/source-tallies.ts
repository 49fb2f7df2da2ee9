import type { SourceFetch } from '../../deploy/sources/source-status.ts'

/** Results of a fetch. */
export const fetchResults = ['changed', 'unchanged', 'failed'] as const

/** Results of a webhook. `answered` and `ignored` webhooks had no effect; `repeated` is a second delivery. */
export const hookResults = ['fetched', 'repeated', 'answered', 'ignored', 'refused'] as const

/** Result of one webhook. */
export type HookResult = (typeof hookResults)[number]

/** Counters of an activity, by result. */
export interface Tally<Result extends string> {
  readonly counts: Readonly<Record<Result, number>>
  /** Total duration in seconds. */
  readonly seconds: number
  /** End of the last run without an error, in milliseconds since 1970. */
  readonly lastSuccess: number | undefined
}

/** Counters of source fetches and of webhooks by vendor, since the start of the server. */
export class SourceFigures {
  readonly #now: () => number
  readonly #fetches = new Map<string, Tally<SourceFetch['result']>>()
  readonly #hooks = new Map<string, Tally<HookResult>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counters by source. */
  get fetches(): ReadonlyMap<string, Tally<SourceFetch['result']>> {
    return this.#fetches
  }

  /** Counters by vendor, as named in the webhook URL. */
  get hooks(): ReadonlyMap<string, Tally<HookResult>> {
    return this.#hooks
  }

  fetched({ source, result, milliseconds }: SourceFetch): void {
    const before = this.#fetches.get(source) ?? createEmptyTally(fetchResults)
    this.#fetches.set(source, this.#counted(before, result, milliseconds / 1000))
  }

  hooked(vendor: string, result: HookResult, seconds: number): void {
    this.#hooks.set(vendor, this.#counted(this.#hooks.get(vendor) ?? createEmptyTally(hookResults), result, seconds))
  }

  /** Removes the counters of deleted sources. */
  keepOnly(sources: readonly string[]): void {
    for (const name of this.#fetches.keys()) if (!sources.includes(name)) this.#fetches.delete(name)
  }

  #counted<Result extends string>(before: Tally<Result>, result: Result, seconds: number): Tally<Result> {
    const isSuccess = result !== 'failed' && result !== 'refused'
    return {
      counts: { ...before.counts, [result]: before.counts[result] + 1 },
      seconds: before.seconds + seconds,
      lastSuccess: isSuccess ? this.#now() : before.lastSuccess,
    }
  }
}

function createEmptyTally<Result extends string>(results: readonly Result[]): Tally<Result> {
  const counts = Object.fromEntries(results.map((result) => [result, 0])) as Record<Result, number>
  return { counts, seconds: 0, lastSuccess: undefined }
}
