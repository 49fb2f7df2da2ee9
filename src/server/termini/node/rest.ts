import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { NodeRequest, NodeServices } from './index.ts'

/**
 * Nodes from another server, with their facts among the parameters. Puppet:
 * indirector/node/rest.rb.
 */
export const rest: TerminusDefinition<PuppetNode, NodeServices, NodeRequest> = {
  doc: 'Requests nodes from the server in server_list or server.',
  create(services) {
    const remote = getRemotePuppet(services, 'node')
    return {
      async find({ key, environment = services.settings.environment }) {
        const query = { environment, configured_environment: environment }
        const text = await remote.find({ indirection: 'node', key, query })
        return text && services.readText('wireNode', text, '')
      },
    }
  },
}
