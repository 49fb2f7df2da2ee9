import { type FactsDocument, formatFactsDocument } from '../../../model/facts.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { hasResponseStatus } from '../../../network/client/errors.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { FactsRequest, FactsServices } from './index.ts'

/**
 * Facts on another server. Puppet Server and this server reject GET of facts with 405; `find` then
 * returns nothing. Puppet: indirector/facts/rest.rb.
 */
export const rest: TerminusDefinition<FactsDocument, FactsServices, FactsRequest> = {
  doc: 'Sends facts to the server in server_list or server; few servers return facts.',
  create(services) {
    const remote = getRemotePuppet(services, 'facts')
    const toRemotePlace = ({ key, environment = services.settings.environment }: FactsRequest) => ({
      ...{ indirection: 'facts', key },
      query: { environment },
    })
    return {
      async find(request) {
        try {
          const text = await remote.find(toRemotePlace(request))
          return text && (await services.read(text))
        } catch (error) {
          if (hasResponseStatus(error, 405)) return undefined
          throw error
        }
      },
      save: (facts, request) => remote.save(toRemotePlace(request), Buffer.concat(formatFactsDocument(facts))),
    }
  },
}
