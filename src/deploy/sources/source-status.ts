import type { RefChange } from '../../code/git/remotes/remote-mirror.ts'

/** The result of one fetch, for `plumb code fetch` and the API. */
export interface SourceFetch {
  readonly source: string
  readonly result: 'changed' | 'unchanged' | 'failed'
  readonly changes: readonly RefChange[]
  /** Reason of the failure; `hint` contains the next step. */
  readonly error: string | undefined
  readonly hint: string | undefined
  readonly milliseconds: number
}

/** The state of a source for `plumb code sources`. Times are milliseconds since 1970. */
export interface SourceStatus {
  readonly name: string
  /** The remote without secrets. */
  readonly remote: string
  /** End of the last successful fetch. */
  readonly fetched: number | undefined
  /** The current problem: start time, message, and number of occurrences. */
  readonly trouble: { readonly since: number; readonly message: string; readonly times: number } | undefined
  /** Time of the next fetch; `undefined` during a fetch. */
  readonly next: number | undefined
  /** Milliseconds between fetches. */
  readonly interval: number
  /** Environments of this source with their refs: `heads/NAME`, `tags/NAME`, `commits/ID`. */
  readonly environments: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}
