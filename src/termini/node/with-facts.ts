import type { Indirection } from '../../indirector/indirection.ts'
import type { Facts } from '../../model/facts.ts'
import type { Node } from '../../model/node.ts'
import type { NodeRequest } from './index.ts'

/** The node with its facts among its parameters; what a classifier gave wins. Puppet: `Puppet::Node#fact_merge`. */
export async function withFacts(node: Node, request: NodeRequest, facts: Indirection<Facts>): Promise<Node> {
  const known = request.facts ?? (await facts.find({ key: request.key, environment: request.environment }))
  return known === undefined ? node : { ...node, parameters: { ...known.values, ...node.parameters } }
}
