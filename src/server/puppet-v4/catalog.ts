import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIssue, PuppetError } from '../../base/issue.ts'
import { isTooMuch } from '../../base/json/bounded-json.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import type { CompiledCatalog, JobLog } from '../../compiler/workers/job.ts'
import { astIssues } from '../../language/pcore-ast/ast-node.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { BodyReader, Read } from '../bodies/body-reader.ts'
import { requestedIssues } from '../bodies/requested-catalog.ts'
import { bodyOf, clientOf, sizeOf } from '../bodies/take-body.ts'
import { plainRefusal, Refusal } from '../http/refusal.ts'
import { type CatalogOptions, gone, saturated } from '../puppet-v3/catalog.ts'
import { isNodeName } from '../puppet-v3/key.ts'
import { sendPieces } from '../sending/send-file.ts'
import type { Services } from '../services/services.ts'
import { isVersionedCodeTrouble } from '../termini/catalog/versioned-code.ts'
import { environmentIssues } from '../termini/environment-of.ts'

/** Levels of messages, the least first. Puppet: util/log.rb. */
const levels = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit']

/** `POST /puppet/v4/catalog`: the catalog of any node, for services; nobody may, but for a rule. protocol.md 11. */
export function requestedCatalogRoutes(server: FastifyInstance, services: Services, options: CatalogOptions): void {
  const { bodyReader, catalog, seal } = services
  server.post('/puppet/v4/catalog', async (request, reply) => {
    const { captureLogs, logLevel, ...asked } = await serviceBody(request, bodyReader, 'requestedCatalog')
    const { certname, environment, persistence, transactionUuid: transaction } = asked
    if (!isNodeName(certname)) throw plainRefusal(400, `Invalid node name ${JSON.stringify(certname.slice(0, 253))}`)
    const asking = { bytes: sizeOf(bodyOf(request)), signal: gone(reply) }
    const debug = captureLogs && logLevel === 'debug'
    const made = await services
      .requestedCatalog({ ...asked, debug, asking, requestId: request.id })
      .catch((error: unknown) => {
        throw saturated(error, options.max_retry_delay) ?? asServer(error)
      })
    if (persistence.catalog) await catalog.keep(made, keeping(certname, environment))
    await seal.headersFor(made, { node: certname, client: request.call.client.certname, transaction })
    const logs = captureLogs
      ? `,"logs":${JSON.stringify(logsOf([...made.logs, compiled(made, certname)], logLevel))}`
      : ''
    return sendPieces(reply.type('application/json'), [Buffer.from('{"catalog":'), made.body, Buffer.from(`${logs}}`)])
  })
}

/** The body of a service's request. Throws 400 and 413 in Puppet Server's words. */
export async function serviceBody<Name extends 'requestedCatalog' | 'compileRequest'>(
  request: FastifyRequest,
  reader: BodyReader,
  name: Name,
): Promise<Read<Name>['value']> {
  try {
    return (await reader.read(name, bodyOf(request), '', clientOf(request))).value
  } catch (error) {
    if (error instanceof Refusal || isTooMuch(error)) throw error
    if (isIssue(error, requestedIssues.INVALID_INPUT, astIssues.AST_UNREADABLE)) throw plainRefusal(400, error.message)
    throw plainRefusal(400, `Error parsing JSON: ${errorText(error)}`)
  }
}

function keeping(key: string, environment: string): Parameters<Services['catalog']['keep']>[1] {
  const trusted = { authenticated: false as const, extensions: {} }
  const none = { facts: undefined, checksumTypes: undefined }
  return { key, environment, trusted, ...none, static: false, checkEnvironment: false, rich: false }
}

/** The log's entry about a catalog that was compiled. */
function compiled({ environment }: CompiledCatalog, node: string): JobLog {
  const message = `Compiled catalog for ${node} in environment ${environment} using the v4 catalog endpoint`
  return { level: 'info', message, source: 'Puppet', file: undefined, line: undefined }
}

/** The messages of a level and above, as Puppet writes them. */
export function logsOf(all: readonly JobLog[], least: string) {
  const time = new Date().toISOString().replace('Z', '000000+00:00')
  return all
    .filter(({ level }) => levels.indexOf(level) >= levels.indexOf(least))
    .map(({ level, message, source, file, line }) => {
      // What functions of manifests say has no place.
      const place = source === 'Puppet' ? { file: file ?? null, line: line ?? null } : { file: null, line: null }
      return { level, message, source, tags: [level], time, ...place }
    })
}

/** An error as Puppet Server tells it of its Ruby, in plain text. protocol.md 1.7. */
export function asServer(error: unknown): unknown {
  if (!(error instanceof PuppetError) || isVersionedCodeTrouble(error)) return error
  if (isIssue(error, poolIssues.COMPILE_QUEUE_FULL, poolIssues.COMPILE_POOL_CLOSED)) return error
  const kind = isIssue(error, environmentIssues.UNKNOWN_DIRECTORY_ENVIRONMENT)
    ? 'EnvironmentNotFound'
    : 'PreformattedError'
  return plainRefusal(500, `Internal Server Error: org.jruby.exceptions.RuntimeError: (${kind}) ${error.message}`)
}
