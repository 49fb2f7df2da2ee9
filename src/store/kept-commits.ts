import { printJson } from '../base/json/json-text.ts'
import type { NodeStore } from './node-store.ts'

/** The part of a store that is asked. */
type Asked = Pick<NodeStore, 'ask' | 'upkeep'>

/** The commits that catalogs in the store name: they are kept for as long as those are. */
export class KeptCommits {
  /** Settled when it is known whether there is a store. */
  #store: { readonly known: boolean; readonly store: Asked | undefined } = { known: false, store: undefined }

  /** Notes the store, or that there is none. */
  opened(store: Asked | undefined): void {
    this.#store = { known: true, store }
  }

  /** Those of the commits that a kept catalog names; all of them while that cannot be known. */
  async among(commits: readonly string[]): Promise<ReadonlySet<string>> {
    const { known, store } = this.#store
    if (!known) return new Set(commits)
    return store ? askFor(commits, store).catch(() => new Set(commits)) : new Set()
  }
}

async function askFor(commits: readonly string[], store: Asked): Promise<ReadonlySet<string>> {
  const named = ['and', ['in', 'code_id', ['array', [...commits]]], ['=', 'node_state', 'any']]
  const query = ['extract', ['code_id', ['function', 'count']], named, ['group_by', 'code_id']]
  // A PuppetDB has the last catalog of each node only.
  const path = store.upkeep ? '/catalog-history' : '/catalogs'
  const answer = await store.ask({ method: 'POST', path, search: '', body: printJson({ query }) })
  let text = ''
  for await (const piece of answer!.pieces) text += piece
  const rows = JSON.parse(text) as readonly { readonly code_id: string }[]
  return new Set(rows.map(({ code_id }) => code_id))
}
