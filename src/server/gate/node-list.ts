import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { GateNode } from '../../deploy/gate/node-selection.ts'
import { findOwnEnvironments } from '../../store/node-environments.ts'
import { createRowReader, getLastContactTime, type RowReader } from '../../store/node-rows.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { AgentRequests, RequestedEnvironments } from '../services/agent-requests.ts'

/** Sources of known nodes. */
export interface NodeListSources {
  readonly askings: Pick<AgentRequests, 'nodes'>
  readonly store: Pick<NodeStore, 'ask'> | undefined
  /** Current time, in milliseconds since 1970. */
  readonly now: number
  /** Milliseconds after which a node's run in an environment is ignored; 0 for never. */
  readonly ttl: number
}

/** A node in the store. */
interface StoredNode {
  readonly certname: string
  readonly isActive: boolean
  readonly environments: readonly string[]
  /** Time of the last report, catalog or facts, in milliseconds since 1970; 0 if the node sent none of them. */
  readonly heard: number
}

/**
 * All nodes with recorded requests or in the store, sorted by their last catalog request, latest first. If a node has
 * recorded requests, its environments come from them. The store decides whether the node is active.
 */
export async function readNodeList({ askings, store, now, ttl }: NodeListSources): Promise<readonly GateNode[]> {
  const stored = store ? await readStoredNodes(createRowReader(store), { now, ttl }) : []
  const states = new Map(stored.map(({ certname, isActive }) => [certname, isActive]))
  const requested = await mapCooperatively(askings.nodes(), (each) => toRequestedNode(each, states.get(each.node)))
  const names = new Set(requested.map(({ node }) => node))
  const others = stored.filter(({ certname }) => !names.has(certname)).sort((one, other) => other.heard - one.heard)
  const rest = await mapCooperatively(others, ({ certname, isActive, environments }) => ({
    node: certname,
    environments: environments.length > 0 ? environments : undefined,
    state: isActive ? ('active' as const) : ('inactive' as const),
    hasRequest: false,
  }))
  return [...requested, ...rest]
}

function toRequestedNode(
  { node, environments, isOld }: RequestedEnvironments,
  isActive: boolean | undefined,
): GateNode {
  const state = isActive === false ? 'inactive' : isOld ? 'silent' : 'active'
  return { node, environments, state, hasRequest: true }
}

async function readStoredNodes(
  ask: RowReader,
  options: { readonly now: number; readonly ttl: number },
): Promise<readonly StoredNode[]> {
  const environments = ['report_environment', 'catalog_environment', 'facts_environment'] as const
  const times = ['report_timestamp', 'catalog_timestamp', 'facts_timestamp'] as const
  const fields = ['certname', 'deactivated', 'expired', ...environments, ...times]
  const rows = await ask(['from', 'nodes', ['extract', fields, ['=', 'node_state', 'any']]])
  const own = await findOwnEnvironments(ask, options)
  return mapCooperatively(rows, (row) => {
    const certname = String(row['certname'])
    const names = [own.get(certname)?.environment, ...environments.map((field) => row[field])]
    return {
      certname,
      isActive: !row['deactivated'] && !row['expired'],
      environments: [...new Set(names.filter((name) => typeof name === 'string'))],
      heard: Date.parse(getLastContactTime(row) ?? '') || 0,
    }
  })
}
