import { type FactsDocument, formatFactsDocument } from '../../../model/facts.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { CatalogServices } from './compiler.ts'
import type { CatalogDocument, CatalogRequest } from './index.ts'

/** Catalogs compiled by another server and passed on unchanged. Puppet: indirector/catalog/rest.rb. */
export const rest: TerminusDefinition<CatalogDocument, CatalogServices, CatalogRequest> = {
  doc: 'Requests catalogs from the server in server_list or server.',
  create(services) {
    const remote = getRemotePuppet(services, 'catalog')
    const { readText } = services
    return {
      async find(request) {
        const { key, environment = services.settings.environment, facts, rich, ahead } = request
        // Compiling ahead would have no benefit, since the other server compiles the catalogs.
        if (ahead) return undefined
        const accept = rich ? 'application/vnd.puppet.rich+json, application/json' : 'application/json'
        const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
        const body = await encodeForm({ ...request, environment }, facts, readText)
        const place = { indirection: 'catalog', key, query: { environment } }
        const found = await remote.find(place, { method: 'POST', headers, body })
        if (!found) return undefined
        const { environment: compiledIn, codeId } = await readText('storedCatalog', found, '')
        return { environment: compiledIn, codeId, body: found }
      },
    }
  },
}

/** Encodes the form of protocol.md 3. Facts may have 16 MiB, so they are encoded on a thread. */
async function encodeForm(
  request: CatalogRequest,
  facts: FactsDocument | undefined,
  readText: ReadText,
): Promise<Buffer> {
  const { environment = '', checksumTypes, transactionUuid, jobId } = request
  const form = new URLSearchParams({
    environment,
    configured_environment: environment,
    check_environment: String(request.checkEnvironment),
    static_catalog: String(request.static),
    ...(checksumTypes !== undefined && { checksum_type: checksumTypes }),
    ...(transactionUuid !== undefined && { transaction_uuid: transactionUuid }),
    ...(jobId !== undefined && { job_uuid: jobId }),
    ...(facts && { facts_format: 'application/json' }),
  })
  const about = Buffer.from(form.toString())
  if (!facts) return about
  const field = await readText('formField', Buffer.concat(formatFactsDocument(facts)), 'facts')
  return Buffer.concat([about, Buffer.from('&'), field])
}
