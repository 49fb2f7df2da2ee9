import { printJson } from '../../base/json/json-text.ts'
import type { FactsDocument } from '../../model/facts.ts'
import { createIndirection, type Indirection } from '../../model/indirector/indirection.ts'
import type { Route } from '../../model/indirector/routes.ts'
import { ourselves } from '../bodies/body-reader.ts'
import type { FactsRequest, FactsServices, StoredFactsServices } from '../termini/facts/index.ts'
import type { NodeServices } from '../termini/node/index.ts'
import type { IndirectionParts, ServiceParts } from './service-parts.ts'

/** Facts indirection, with its kind of storage. */
export interface FactsOfNodes {
  readonly facts: Indirection<FactsDocument, FactsRequest>
  /** True if facts are in the store and not in files. */
  readonly inStoreAlone: boolean
}

/** Facts indirection, from routes.yaml or the setting `facts_terminus`. */
export function factsIndirection(shared: IndirectionParts): FactsOfNodes {
  const { parts, plugIns, route, common } = shared
  const chosen = route('facts', parts.settings.facts_terminus)
  const facts = createIndirection(plugIns.facts, factsServices(shared), chosen, common)
  return { facts, inStoreAlone: isInStoreAlone(chosen) }
}

/**
 * Facts for classification. If the store or the other server is unavailable, nodes are classified
 * without them.
 */
export function optionalFacts(
  facts: FactsOfNodes['facts'],
  { store, warn }: Pick<ServiceParts, 'store' | 'warn'>,
  asksOthers: boolean,
): NodeServices['facts'] {
  if (!store && !asksOthers) return facts
  return {
    find: (request) =>
      facts.find(request).catch((error: unknown) => {
        warn(`The facts of ${request.key} could not be found`, error)
        return undefined
      }),
  }
}

function factsServices({ parts, bodyReader: reader, readText, remote }: IndirectionParts): FactsServices {
  const { settings, system, store } = parts
  const read = async (text: Buffer) => (await reader.read('facts', text, '', ourselves)).value
  const common = { files: system.files, settings, read, readText, remote }
  if (!store) return common
  const stored: StoredFactsServices = {
    ...store,
    environment: settings.environment,
    async payload({ name, values }, sending) {
      return (await reader.read('factsPayload', Buffer.from(values), printJson({ name, sending }), ourselves)).value
    },
    readRows: async (name, rows) => (await reader.read('factRows', Buffer.from(rows), name, ourselves)).value,
  }
  return { ...common, stored }
}

function isInStoreAlone({ terminus, cache }: Route): boolean {
  return terminus === 'puppetdb' && cache !== 'json' && cache !== 'yaml'
}
