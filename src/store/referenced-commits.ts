import { text } from 'node:stream/consumers'
import { formatExactJson } from '../base/json/json-text.ts'
import type { NodeStore } from './node-store.ts'

/** The store methods that `ReferencedCommits` calls. */
type QueryableStore = Pick<NodeStore, 'ask' | 'upkeep'>

/**
 * The commits that the catalogs in the store were compiled from; a commit is kept as long as a
 * catalog refers to it.
 */
export class ReferencedCommits {
  /** The store; `known` is false until the program knows if a store is configured. */
  #store: { readonly known: boolean; readonly store: QueryableStore | undefined } = { known: false, store: undefined }

  /** Sets the store; `undefined` if none is configured. */
  opened(store: QueryableStore | undefined): void {
    this.#store = { known: true, store }
  }

  /**
   * Returns those of the given commits that a stored catalog refers to; all of them if the store is
   * not known yet or fails.
   */
  async among(commits: readonly string[]): Promise<ReadonlySet<string>> {
    const { known, store } = this.#store
    if (!known) return new Set(commits)
    return store ? queryCommits(commits, store).catch(() => new Set(commits)) : new Set()
  }
}

async function queryCommits(commits: readonly string[], store: QueryableStore): Promise<ReadonlySet<string>> {
  const named = ['and', ['in', 'code_id', ['array', [...commits]]], ['=', 'node_state', 'any']]
  const query = ['extract', ['code_id', ['function', 'count']], named, ['group_by', 'code_id']]
  // PuppetDB stores only the last catalog of each node.
  const path = store.upkeep ? '/catalog-history' : '/catalogs'
  const answer = await store.ask({ method: 'POST', path, search: '', body: formatExactJson({ query }) })
  const rows = JSON.parse(await text(answer!.pieces)) as readonly { readonly code_id: string }[]
  return new Set(rows.map(({ code_id }) => code_id))
}
