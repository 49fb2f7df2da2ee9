import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, defineIssues, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { NodeStore } from '../../store/node-store.ts'

/** Errors in the selection of nodes. */
export const selectionIssues = defineIssues({
  NO_STORE_TO_QUERY: { text: (_: object) => 'This server has no store, which a query needs' },
  RUN_QUERY_FAILED: { text: (a: { why: string }) => `The query for nodes failed: ${a.why}` },
})

/** The nodes of a batch. Certnames and the results of the query are joined. */
export interface NodeSelection {
  readonly nodes: readonly string[]
  /** A PQL query whose rows have a certname. */
  readonly query: string | undefined
}

/** Parses a selection from an untrusted source. Throws WIRE_SHAPE. */
export function parseNodeSelection({ nodes = [], query }: Readonly<Record<string, unknown>>): NodeSelection {
  return {
    nodes: checkJsonArray(nodes, 'nodes').map((each) => checkJsonString(each, 'a node')),
    query: checkOptionalString(query, 'query'),
  }
}

/** Returns the certnames of a selection. Throws NO_STORE_TO_QUERY, RUN_QUERY_FAILED. */
export async function selectNodes(
  { nodes, query }: NodeSelection,
  store: Pick<NodeStore, 'ask'> | undefined,
): Promise<readonly string[]> {
  if (query === undefined) return nodes
  if (!store) return throwIssue(selectionIssues.NO_STORE_TO_QUERY, {})
  const body = JSON.stringify({ query, limit: budgets.order.nodes.bound + 1 })
  try {
    const answer = await store.ask({ method: 'POST', path: '', search: '', body })
    let text = ''
    for await (const piece of answer?.pieces ?? []) text += piece
    const rows = checkJsonArray(JSON.parse(text === '' ? '[]' : text), 'the result')
    return [...nodes, ...rows.map((row) => checkJsonString(checkJsonObject(row, 'a row')['certname'], 'certname'))]
  } catch (error) {
    throw createPuppetError(selectionIssues.RUN_QUERY_FAILED, { why: formatErrorReason(error) })
  }
}
