/** A node known to the gate, with its state. */
export interface GateNode {
  readonly node: string
  /** The environments for which the node is tested; if undefined, it is tested for all environments. */
  readonly environments: readonly string[] | undefined
  /** State of the node: `silent` if its last contact is older than the time to live. */
  readonly state: 'active' | 'inactive' | 'silent'
  /** True if the parameters of the node's catalog request are known. */
  readonly hasRequest: boolean
}

/** The reason why a node is not tested. */
export type UntestedReason = 'other_environment' | 'inactive' | 'silent' | 'no_request' | 'gate_nodes'

/** Nodes that are not tested for the same reason. */
export interface UntestedNodes {
  readonly reason: UntestedReason
  readonly nodes: readonly string[]
  /** The environments for which the nodes are tested, for the reason `other_environment`; otherwise empty. */
  readonly environments: readonly string[]
}

/** Tested and untested nodes for one environment of a push. */
export interface EnvironmentNodes {
  /** The nodes to test, in the order of the tests. */
  readonly nodes: readonly string[]
  readonly untried: readonly UntestedNodes[]
}

/** Options of `selectNodes`. */
export interface NodeSelectionOptions {
  readonly environment: string
  /**
   * True to exclude nodes without a recorded catalog request: a server compiles with the parameters
   * of that request.
   */
  readonly needsRequest: boolean
}

/**
 * Splits the known nodes into nodes on which a push to an environment is tested, and other nodes by reason. Omits
 * inactive and silent nodes of other environments.
 */
export function selectNodes(
  known: readonly GateNode[],
  { environment, needsRequest }: NodeSelectionOptions,
): EnvironmentNodes {
  const nodes: string[] = []
  const untried = new Map<UntestedReason, { readonly nodes: string[]; readonly environments: Set<string> }>()
  for (const { node, environments, state, hasRequest } of known) {
    const counts = environments === undefined || environments.includes(environment)
    const reason = findUntestedReason(counts, state, needsRequest && !hasRequest)
    if (reason === undefined) {
      if (counts) nodes.push(node)
      continue
    }
    const group = untried.get(reason) ?? { nodes: [], environments: new Set<string>() }
    untried.set(reason, group)
    group.nodes.push(node)
    if (!counts) for (const each of environments ?? []) group.environments.add(each)
  }
  const groups = [...untried].map(([reason, group]) => ({
    reason,
    nodes: group.nodes,
    environments: [...group.environments].sort(),
  }))
  return { nodes, untried: groups }
}

function findUntestedReason(
  counts: boolean,
  state: GateNode['state'],
  lacksRequest: boolean,
): UntestedReason | undefined {
  if (!counts) return state === 'active' ? 'other_environment' : undefined
  if (state !== 'active') return state
  return lacksRequest ? 'no_request' : undefined
}
