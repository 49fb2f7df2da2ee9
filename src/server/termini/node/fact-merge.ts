import type { FactsDocument } from '../../../model/facts.ts'
import type { Indirection } from '../../../model/indirector/indirection.ts'
import type { PuppetNode } from '../../../model/node.ts'
import type { NodeRequest } from './index.ts'

/** Adds facts to the node: the facts of the request, or else the stored facts. Puppet: `Puppet::Node#fact_merge`. */
export async function mergeFacts(
  node: PuppetNode,
  request: NodeRequest,
  facts: Pick<Indirection<FactsDocument>, 'find'>,
): Promise<PuppetNode> {
  const known = request.facts ?? (await facts.find({ key: request.key, environment: request.environment }))
  return known === undefined ? node : { ...node, facts: known.values }
}
