import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { type Node, plainNode } from '../../../model/node.ts'
import type { NodeRequest, NodeServices } from './index.ts'
import { withFacts } from './with-facts.ts'

/** Classifies nothing: every node exists, in the requested environment, with its facts as parameters. */
export const plain: TerminusDefinition<Node, NodeServices, NodeRequest> = {
  doc: 'Every node, unclassified: the manifests decide.',
  create: ({ facts }) => ({
    find: (request) => withFacts(plainNode(request.key, request.environment), request, facts),
  }),
}
