import type { Html } from '../../base/text/html.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import type { NodeStore } from '../../store/node-store.ts'

/** The request for a page. */
export interface PageRequest {
  /** Parts of the path behind the page's own, decoded: a certname, the hash of a report. */
  readonly path: readonly string[]
  /** Parameters of the query, the first of each name. */
  readonly query: ReadonlyMap<string, string>
}

/** Sources of the pages. */
export interface PageSources {
  readonly store: Pick<NodeStore, 'ask'>
  /** The served commits; none where there are no environments to ask. */
  environments(): Promise<readonly EnvironmentStatus[]>
  /** The subject of a commit and its time, where a repository knows it. */
  commit(codeId: string): Promise<Commit | undefined>
  /** An answer that holds for some milliseconds, made once in that time. */
  remembered<Value extends object>(key: string, ms: number, make: () => Promise<Value>): Promise<Value>
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds without a report after which a node counts as unresponsive. */
  readonly unresponsiveAfter: number
  /** Milliseconds for which a node counts in an environment after a run there; 0 without limit. */
  readonly nodeTtl: number
}

/** A commit for people. */
export interface Commit {
  readonly subject: string
  readonly author: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** An answered page, without its frame. */
export interface Page {
  readonly title: string
  readonly body: Html
  readonly status?: 200 | 400 | 403 | 404 | 500 | 503
  /** Modules of the assets that make more of it. */
  readonly modules?: readonly string[]
  /** Seconds after which a browser asks for it again. */
  readonly refresh?: number
  /** True for a page without head and navigation. */
  readonly bare?: boolean
}

/** A page as a function of what was asked. */
export type PageOf = (request: PageRequest, sources: PageSources) => Promise<Page>

/** A document that is no page, row by row. */
export interface Download {
  readonly contentType: string
  readonly fileName: string
  readonly pieces: AsyncIterable<string>
}
