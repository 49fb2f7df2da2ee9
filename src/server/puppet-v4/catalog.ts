import type { FastifyInstance } from 'fastify'
import type { CompiledCatalog, JobLog } from '../../compiler/workers/compile-job.ts'
import { getBody, getBodySize } from '../bodies/request-body.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { type CatalogOptions, createDisconnectSignal, toRetryRefusal } from '../puppet-v3/catalog.ts'
import { isValidNodeName } from '../puppet-v3/key.ts'
import { formatLogs, parseServiceBody, toServerError } from '../puppet-v3/service-request.ts'
import { sendPieces } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'

/**
 * `POST /puppet/v4/catalog`: compiles the catalog of any node for a service. Denied unless a rule
 * allows it. protocol.md 11.
 */
export function addRequestedCatalogRoutes(server: FastifyInstance, services: Services, options: CatalogOptions): void {
  const { bodyReader, catalog, seal } = services
  server.post('/puppet/v4/catalog', async (request, reply) => {
    const { captureLogs, logLevel, ...asked } = await parseServiceBody(request, bodyReader, 'requestedCatalog')
    const { certname, environment, persistence, transactionUuid: transaction } = asked
    if (!isValidNodeName(certname))
      throw createPlainRefusal(400, `Invalid node name ${JSON.stringify(certname.slice(0, 253))}`)
    const asking = { bytes: getBodySize(getBody(request)), signal: createDisconnectSignal(reply) }
    const debug = captureLogs && logLevel === 'debug'
    const made = await services
      .requestedCatalog({ ...asked, debug, asking, requestId: request.id })
      .catch((error: unknown) => {
        throw toRetryRefusal(error, options.max_retry_delay) ?? toServerError(error)
      })
    if (persistence.catalog) await catalog.keep(made, createCatalogRequest(certname, environment))
    await seal.headersFor(made, { node: certname, client: request.call.client.certname, transaction })
    const logs = captureLogs
      ? `,"logs":${JSON.stringify(formatLogs([...made.logs, createCompiledLog(made, certname)], logLevel))}`
      : ''
    return sendPieces(reply.type('application/json'), [Buffer.from('{"catalog":'), made.body, Buffer.from(`${logs}}`)])
  })
}

function createCatalogRequest(key: string, environment: string): Parameters<Services['catalog']['keep']>[1] {
  const trusted = { authenticated: false as const, extensions: {} }
  const none = { facts: undefined, checksumTypes: undefined }
  return { key, environment, trusted, ...none, static: false, checkEnvironment: false, rich: false }
}

/** Log entry for a compiled catalog. */
function createCompiledLog({ environment }: CompiledCatalog, node: string): JobLog {
  const message = `Compiled catalog for ${node} in environment ${environment} using the v4 catalog endpoint`
  return { level: 'info', message, source: 'Puppet', file: undefined, line: undefined }
}
