import type { SourceFetch } from '../../deploy/sources/source-status.ts'

/** Outcomes of a fetch. */
export const fetchResults = ['changed', 'unchanged', 'failed'] as const

/** Outcomes of a webhook: sources fetched, sent once more, answered or ignored without an effect, refused. */
export const hookResults = ['fetched', 'repeated', 'answered', 'ignored', 'refused'] as const

/** The outcome of one webhook. */
export type HookResult = (typeof hookResults)[number]

/** Figures of something that has outcomes. */
export interface Tally<Result extends string> {
  readonly counts: Readonly<Record<Result, number>>
  /** Time of all of them together. */
  readonly seconds: number
  /** The end of the last one that was no failure, in milliseconds since 1970. */
  readonly lastSuccess: number | undefined
}

/** Figures of the fetches of sources, and of the webhooks of kinds of Git hosts, since the server started. */
export class SourceFigures {
  readonly #now: () => number
  readonly #fetches = new Map<string, Tally<SourceFetch['result']>>()
  readonly #hooks = new Map<string, Tally<HookResult>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** By source. */
  get fetches(): ReadonlyMap<string, Tally<SourceFetch['result']>> {
    return this.#fetches
  }

  /** By the name in the address. */
  get hooks(): ReadonlyMap<string, Tally<HookResult>> {
    return this.#hooks
  }

  fetched({ source, result, milliseconds }: SourceFetch): void {
    const before = this.#fetches.get(source) ?? none(fetchResults)
    this.#fetches.set(source, this.#counted(before, result, milliseconds / 1000))
  }

  hooked(vendor: string, result: HookResult, seconds: number): void {
    this.#hooks.set(vendor, this.#counted(this.#hooks.get(vendor) ?? none(hookResults), result, seconds))
  }

  /** Lets go of the figures of sources that are no more. */
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

function none<Result extends string>(results: readonly Result[]): Tally<Result> {
  const counts = Object.fromEntries(results.map((result) => [result, 0])) as Record<Result, number>
  return { counts, seconds: 0, lastSuccess: undefined }
}
