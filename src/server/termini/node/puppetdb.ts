import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { getRecorder } from '../store-recorder.ts'
import type { NodeRequest, NodeServices } from './index.ts'
import { plain } from './plain.ts'

/** Every node, unclassified, with its facts; `destroy` deactivates the node in the store. */
export const puppetdb: TerminusDefinition<PuppetNode, NodeServices, NodeRequest> = {
  doc: 'Returns every node without a classification; removing a node deactivates it in the store.',
  create(services) {
    const recorder = getRecorder('node', services)
    return {
      ...plain.create(services),
      async save() {},
      destroy: ({ key }) => recorder.deactivate(key),
    }
  },
}
