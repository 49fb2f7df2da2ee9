import type { RefChange } from '../../code/git/remotes/mirror.ts'

/** The outcome of one fetch, as `plumb code fetch` and the API tell it. */
export interface SourceFetch {
  readonly source: string
  readonly result: 'changed' | 'unchanged' | 'failed'
  readonly changes: readonly RefChange[]
  /** Why it failed, and what can be done. */
  readonly error: string | undefined
  readonly hint: string | undefined
  readonly milliseconds: number
}

/** One source, as `plumb code sources` shows it. Times are milliseconds since 1970. */
export interface SourceStatus {
  readonly name: string
  /** The remote without a secret. */
  readonly remote: string
  /** The end of the last fetch that succeeded. */
  readonly fetched: number | undefined
  /** The beginning of the trouble that lasts, its words, and how often it was met. */
  readonly trouble: { readonly since: number; readonly message: string; readonly times: number } | undefined
  /** The time of the next fetch; `undefined` while one is under way. */
  readonly next: number | undefined
  /** Milliseconds between two fetches. */
  readonly interval: number
  /** Environments of this source, each with its ref: `heads/NAME`, `tags/NAME`, `commits/ID`. */
  readonly environments: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}
