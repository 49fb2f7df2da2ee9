import type { FastifyInstance } from 'fastify'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { CompileBody } from '../bodies/compile-request.ts'
import { getBody, getBodySize } from '../bodies/request-body.ts'
import { createPlainRefusal } from '../http/refusal.ts'
import { sendPieces } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'
import { type CatalogOptions, createDisconnectSignal, toRetryRefusal } from './catalog.ts'
import { isValidNodeName } from './key.ts'
import { formatLogs, parseServiceBody, toServerError } from './service-request.ts'

/**
 * `POST /puppet/v3/compile`: compiles code sent as an AST. Denied unless a rule allows it.
 * protocol.md 11.
 */
export function addCompileRoutes(server: FastifyInstance, services: Services, options: CatalogOptions): void {
  server.post('/puppet/v3/compile', async (request, reply) => {
    const body = await parseServiceBody(request, services.bodyReader, 'compileRequest')
    const environment = requireCompileEnvironment(body)
    const { certname, captureLogs, logLevel, code, facts, trusted, variables } = body
    if (!isValidNodeName(certname))
      throw createPlainRefusal(400, `Invalid node name ${JSON.stringify(certname.slice(0, 253))}`)
    const asking = { bytes: getBodySize(getBody(request)), signal: createDisconnectSignal(reply) }
    const debug = captureLogs && logLevel === 'debug'
    const made = await services
      .catalogOfCode({
        ...{ certname, environment, code, facts, trusted, variables, debug, asking },
        requestId: request.id,
      })
      .catch((error: unknown) => {
        throw toRetryRefusal(error, options.max_retry_delay) ?? toServerError(error)
      })
    const logs = captureLogs ? `,"logs":${JSON.stringify(formatLogs(made.logs, logLevel))}` : ''
    return sendPieces(reply.type('application/json'), [Buffer.from('{"catalog":'), made.body, Buffer.from(`${logs}}`)])
  })
}

/**
 * The environment of the request. Requests that need Bolt are refused; the messages are Puppet
 * Server's.
 */
function requireCompileEnvironment({ environment, project, isForPlan }: CompileBody): string {
  if (environment !== undefined && project !== undefined)
    throw createPlainRefusal(
      400,
      'A compile request cannot specify both `environment` and `versioned_project` parameters.',
    )
  if (environment === undefined && project === undefined)
    throw createPlainRefusal(400, 'A compile request must include an `environment` or `versioned_project` parameter.')
  if (environment === undefined || isForPlan)
    throw createPlainRefusal(400, 'Code of plans and projects is not supported: it needs the modules of Bolt.')
  if (!isEnvironmentName(environment))
    throw createPlainRefusal(400, `The environment must be purely alphanumeric, not '${environment}'`)
  return environment
}
