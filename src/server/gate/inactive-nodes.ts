import { printJson } from '../../base/json-text.ts'
import { list, record, text } from '../../base/wire.ts'
import type { NodeStore } from '../../store/node-store.ts'

/** The nodes that a store knows as deactivated or expired. */
export async function inactiveNodes(store: Pick<NodeStore, 'ask'>): Promise<ReadonlySet<string>> {
  const query = ['extract', ['certname'], ['=', 'node_state', 'inactive']]
  const answer = await store.ask({ method: 'POST', path: '/nodes', search: '', body: printJson({ query }) })
  const pieces: string[] = []
  for await (const piece of answer!.pieces) pieces.push(piece)
  const rows = list(JSON.parse(pieces.join('')), 'nodes')
  return new Set(rows.map((row) => text(record(row, 'node')['certname'], 'certname')))
}
