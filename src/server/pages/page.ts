import type { Html } from '../../base/text/html.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { RolloutService } from '../rollouts/rollout-service.ts'

/** The request for a page. */
export interface PageRequest {
  /** Decoded parameters in the path: a certname, the hash of a report. */
  readonly path: readonly string[]
  /** Query parameters. Of a repeated parameter only the first value is kept. */
  readonly query: ReadonlyMap<string, string>
}

/** Sources of the data that pages show. */
export interface PageSources {
  readonly store: Pick<NodeStore, 'ask'>
  /** The rollouts of the server; undefined without a store of its own. */
  readonly rollouts: Pick<RolloutService, 'list' | 'members'> | undefined
  /** The served environments with their commits. */
  environments(): Promise<readonly EnvironmentStatus[]>
  /** The subject, author and time of a commit; `undefined` if no repository contains it. */
  commit(codeId: string): Promise<Commit | undefined>
  /** Returns the cached value of a key, or calls `make` and caches its value for `ms`. */
  remembered<Value extends object>(key: string, ms: number, make: () => Promise<Value>): Promise<Value>
  /** Current time, in milliseconds since 1970. */
  now(): number
  /** Milliseconds without a report after which a node counts as unresponsive. */
  readonly unresponsiveAfter: number
  /** Milliseconds after which a node's run in an environment is ignored; 0 for never. */
  readonly nodeTtl: number
}

/** A commit as shown on pages: subject, author and time. */
export interface Commit {
  readonly subject: string
  readonly author: string
  /** Commit time, in milliseconds since 1970. */
  readonly time: number
}

/** The content of a page, without its frame. */
export interface Page {
  readonly title: string
  readonly body: Html
  readonly status?: 200 | 400 | 403 | 404 | 500 | 503
  /** JavaScript modules of the page. */
  readonly modules?: readonly string[]
  /** Seconds after which the browser reloads the page. */
  readonly refresh?: number
  /** True for a page without header and navigation. */
  readonly bare?: boolean
}

/** Builds a page for a request. */
export type PageRenderer = (request: PageRequest, sources: PageSources) => Promise<Page>

/** A file download, streamed in pieces. */
export interface Download {
  readonly contentType: string
  readonly fileName: string
  readonly pieces: AsyncIterable<string>
}
