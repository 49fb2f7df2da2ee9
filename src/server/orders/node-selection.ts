import { defineIssues, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { queryCertnames } from '../../deploy/rollout/wave-queries.ts'
import type { NodeStore } from '../../store/node-store.ts'

/** Errors in the selection of nodes. */
export const selectionIssues = defineIssues({
  NO_STORE_TO_QUERY: { text: (_: object) => 'This server has no store, which a query needs' },
})

/** The nodes of a batch. Certnames, the results of the query and the nodes of the wave are joined. */
export interface NodeSelection {
  readonly nodes: readonly string[]
  /** A PQL query whose rows have a certname. */
  readonly query: string | undefined
  /** Name of a wave of the current rollout of `environment`. */
  readonly wave: string | undefined
  readonly environment: string | undefined
}

/** Sources of the nodes in a selection. */
export interface SelectionSources {
  /** The store, for queries; undefined without a store. */
  readonly store: Pick<NodeStore, 'ask'> | undefined
  /** Returns the nodes of a wave of a rollout; without an environment, of the server's default environment. */
  listWaveNodes(environment: string | undefined, wave: string): Promise<readonly string[]>
}

/** Parses a selection from an untrusted source. Throws WIRE_SHAPE. */
export function parseNodeSelection(given: Readonly<Record<string, unknown>>): NodeSelection {
  const { nodes = [], query, wave, environment } = given
  return {
    wave: checkOptionalString(wave, 'wave'),
    environment: checkOptionalString(environment, 'environment'),
    nodes: checkJsonArray(nodes, 'nodes').map((each) => checkJsonString(each, 'a node')),
    query: checkOptionalString(query, 'query'),
  }
}

/** Returns the certnames of a selection. Throws NO_STORE_TO_QUERY, ROLLOUT_QUERY, ROLLOUT_QUERY_SHAPE, UNKNOWN_WAVE. */
export async function selectNodes(
  { nodes, query, wave, environment }: NodeSelection,
  { store, listWaveNodes }: SelectionSources,
): Promise<readonly string[]> {
  const ofWave = wave === undefined ? [] : await listWaveNodes(environment, wave)
  if (query === undefined) return [...nodes, ...ofWave]
  if (!store) return throwIssue(selectionIssues.NO_STORE_TO_QUERY, {})
  return [...nodes, ...ofWave, ...(await queryCertnames(query, store, 'nodes'))]
}
