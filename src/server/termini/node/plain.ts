import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { createPlainNode, type PuppetNode } from '../../../model/node.ts'
import { mergeFacts } from './fact-merge.ts'
import type { NodeRequest, NodeServices } from './index.ts'

/** Classifies nothing: every node exists, in the requested environment, with its facts as parameters. */
export const plain: TerminusDefinition<PuppetNode, NodeServices, NodeRequest> = {
  doc: 'Returns every node without a classification; the manifests decide.',
  create: ({ facts }) => ({
    find: (request) => mergeFacts(createPlainNode(request.key, request.environment), request, facts),
  }),
}
