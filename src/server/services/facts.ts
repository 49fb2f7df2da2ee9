import { formatExactJson } from '../../base/json/json-text.ts'
import type { FactsDocument } from '../../model/facts.ts'
import { createIndirection, type Indirection } from '../../model/indirector/indirection.ts'
import type { IndirectionRoute } from '../../model/indirector/routes.ts'
import { serverClient } from '../bodies/body-reader.ts'
import type { FactsRequest, FactsServices, StoredFactsServices } from '../termini/facts/index.ts'
import type { NodeServices } from '../termini/node/index.ts'
import type { IndirectionParts, ServiceParts } from './service-parts.ts'

/** Facts indirection, with its kind of storage. */
export interface FactsStorage {
  readonly facts: Indirection<FactsDocument, FactsRequest>
  /** True if facts are in the store and not in files. */
  readonly inStoreAlone: boolean
}

/** Facts indirection, from routes.yaml or the setting `facts_terminus`. */
export function createFactsIndirection(shared: IndirectionParts): FactsStorage {
  const { parts, plugIns, route, common } = shared
  const chosen = route('facts', parts.settings.facts_terminus)
  const facts = createIndirection(plugIns.facts, createFactsServices(shared), chosen, common)
  return { facts, inStoreAlone: isStoreOnlyRoute(chosen) }
}

/**
 * Facts for classification. If the store or the other server is unavailable, nodes are classified
 * without them.
 */
export function createOptionalFacts(
  facts: FactsStorage['facts'],
  { store, warn }: Pick<ServiceParts, 'store' | 'warn'>,
  asksOthers: boolean,
): NodeServices['facts'] {
  if (!store && !asksOthers) return facts
  return {
    find: (request) =>
      facts.find(request).catch((error: unknown) => {
        warn(`Could not find the facts of ${request.key}`, error)
        return undefined
      }),
  }
}

function createFactsServices({ parts, bodyReader: reader, readText, remote }: IndirectionParts): FactsServices {
  const { settings, system, store } = parts
  const parseFactsText = async (text: Buffer) => (await reader.read('facts', text, '', serverClient)).value
  const common = { files: system.files, settings, read: parseFactsText, readText, remote }
  if (!store) return common
  const stored: StoredFactsServices = {
    ...store,
    environment: settings.environment,
    async payload({ name, values }, sending) {
      return (await reader.read('factsPayload', Buffer.from(values), formatExactJson({ name, sending }), serverClient))
        .value
    },
    readRows: async (name, rows) => (await reader.read('factRows', Buffer.from(rows), name, serverClient)).value,
  }
  return { ...common, stored }
}

function isStoreOnlyRoute({ terminus, cache }: IndirectionRoute): boolean {
  return terminus === 'puppetdb' && cache !== 'json' && cache !== 'yaml'
}
