import type { FastifyInstance } from 'fastify'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { CompileBody } from '../bodies/compile-request.ts'
import { bodyOf, sizeOf } from '../bodies/take-body.ts'
import { plainRefusal } from '../http/refusal.ts'
import { sendPieces } from '../sending/send-file.ts'
import type { Services } from '../services/services.ts'
import { type CatalogOptions, gone, saturated } from './catalog.ts'
import { isNodeName } from './key.ts'
import { asServer, logsOf, serviceBody } from './service-request.ts'

/**
 * `POST /puppet/v3/compile`: compiles code sent as an AST. Denied unless a rule allows it.
 * protocol.md 11.
 */
export function compileRoutes(server: FastifyInstance, services: Services, options: CatalogOptions): void {
  server.post('/puppet/v3/compile', async (request, reply) => {
    const body = await serviceBody(request, services.bodyReader, 'compileRequest')
    const environment = requireEnvironment(body)
    const { certname, captureLogs, logLevel, code, facts, trusted, variables } = body
    if (!isNodeName(certname)) throw plainRefusal(400, `Invalid node name ${JSON.stringify(certname.slice(0, 253))}`)
    const asking = { bytes: sizeOf(bodyOf(request)), signal: gone(reply) }
    const debug = captureLogs && logLevel === 'debug'
    const made = await services
      .catalogOfCode({
        ...{ certname, environment, code, facts, trusted, variables, debug, asking },
        requestId: request.id,
      })
      .catch((error: unknown) => {
        throw saturated(error, options.max_retry_delay) ?? asServer(error)
      })
    const logs = captureLogs ? `,"logs":${JSON.stringify(logsOf(made.logs, logLevel))}` : ''
    return sendPieces(reply.type('application/json'), [Buffer.from('{"catalog":'), made.body, Buffer.from(`${logs}}`)])
  })
}

/**
 * The environment of the request. Requests that need Bolt are refused; the messages are Puppet
 * Server's.
 */
function requireEnvironment({ environment, project, isForPlan }: CompileBody): string {
  if (environment !== undefined && project !== undefined)
    throw plainRefusal(400, 'A compile request cannot specify both `environment` and `versioned_project` parameters.')
  if (environment === undefined && project === undefined)
    throw plainRefusal(400, 'A compile request must include an `environment` or `versioned_project` parameter.')
  if (environment === undefined || isForPlan)
    throw plainRefusal(400, 'Code of plans and of projects is not compiled here: it needs the modules of Bolt.')
  if (!isEnvironmentName(environment))
    throw plainRefusal(400, `The environment must be purely alphanumeric, not '${environment}'`)
  return environment
}
