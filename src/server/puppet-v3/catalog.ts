import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import { parseJson } from '../../base/json-text.ts'
import { poolIssues } from '../../compiler/workers/issues.ts'
import { isEnvironmentName } from '../../environments/environment-name.ts'
import { type Facts, factsFromWire } from '../../model/facts.ts'
import { json, negotiate, requireContentType, richJson } from '../negotiation.ts'
import { overridden, type Parameters, parameter, parseParameters } from '../parameters.ts'
import { plainRefusal, Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { requireCertname } from './key.ts'

/** What the route says of this server, and how long it may send agents away. */
export interface CatalogOptions {
  readonly certname: string
  /** Seconds. */
  readonly maxRetryDelay: number
}

const largeBody = 128 * 1024

const issues = defineIssues({
  NO_FACTS_FORMAT: { text: (a: { node: string }) => `Facts but no fact format provided for ${a.node}` },
  FACTS_FORMAT: { text: (_: object) => 'Unsupported facts format' },
  FACTS_UNREADABLE: { text: (a: { reason: string }) => `Could not intern from json: ${a.reason}` },
})

/** `GET` and `POST /puppet/v3/catalog/CERTNAME`. protocol.md 3. */
export function catalogRoutes(server: FastifyInstance, { catalog }: Services, options: CatalogOptions): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/puppet/v3/catalog/*',
    async handler(request, reply) {
      const key = requireCertname(request)
      const form = formOf(request)
      await breathe(request)
      const parameters = form ? overridden(request.call.query, form) : request.call.query
      const environment = catalogEnvironment(parameters)
      const format = negotiate(request.headers.accept, [richJson, json])
      const { certname, extensions } = request.call.client
      const facts = factsOf(key, parameters)
      await breathe(request)
      const found = await catalog
        .find({
          key,
          node: certname,
          environment,
          ignoreCache: true,
          facts,
          trusted: { authenticated: certname === undefined ? false : 'remote', extensions },
          static: parameter(parameters, 'static_catalog') === 'true',
          checksumTypes: parameter(parameters, 'checksum_type'),
          checkEnvironment: parameter(parameters, 'check_environment') === 'true',
          rich: format === richJson,
          asking: { bytes: request.body instanceof Uint8Array ? request.body.length : 0, signal: gone(reply) },
        })
        .catch((error: unknown) => {
          throw saturated(error, options.maxRetryDelay) ?? error
        })
      return answer(reply, format.contentType, found!.body, options.certname)
    },
  })
}

function answer(reply: FastifyReply, contentType: string, body: Uint8Array, certname: string): FastifyReply {
  return reply.header('X-Puppet-Compiler-Name', certname).type(contentType).send(body)
}

/** Aborted when the client hangs up before it is answered. */
function gone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Lets others have their turn between two steps of work on a large body. */
async function breathe({ body }: FastifyRequest): Promise<void> {
  if (body instanceof Uint8Array && body.length > largeBody) await setImmediate()
}

/** The form of a POST. A body of another type would silently compile without the facts it brings: 415 instead. */
function formOf(request: FastifyRequest): Parameters | undefined {
  if (request.method !== 'POST') return undefined
  const body = request.body as Buffer | undefined
  if (body === undefined || body.length === 0) return undefined
  requireContentType(request.headers['content-type'], 'application/x-www-form-urlencoded')
  return parseParameters(body.toString('utf8'))
}

/** Puppet Server answers in plain text here, and `null` for a missing one. protocol.md 3. */
function catalogEnvironment(parameters: Parameters): string {
  const name = parameter(parameters, 'environment') ?? 'null'
  if (!parameters.has('environment') || !isEnvironmentName(name))
    throw plainRefusal(400, `The environment must be purely alphanumeric, not '${name}'`)
  return name
}

/** Facts are encoded twice: as a value, and as a field of the form. */
function factsOf(node: string, parameters: Parameters): Facts | undefined {
  const text = parameter(parameters, 'facts')
  if (text === undefined) return undefined
  const format = parameter(parameters, 'facts_format')
  if (format === undefined) return fail(issues.NO_FACTS_FORMAT, { node })
  if (format !== 'application/json' && format !== 'pson') return fail(issues.FACTS_FORMAT, {})
  try {
    return factsFromWire(parseJson(unescaped(text)))
  } catch (error) {
    const reason = error instanceof PuppetError ? error.diagnostic.message : (error as Error).message
    return fail(issues.FACTS_UNREADABLE, { reason })
  }
}

function unescaped(text: string): string {
  return decodeURIComponent(text.replaceAll('+', '%20'))
}

function saturated(error: unknown, maxRetryDelay: number): Refusal | undefined {
  const code = error instanceof PuppetError ? error.diagnostic.code : undefined
  const status = { [poolIssues.COMPILE_QUEUE_FULL.code]: 503, [poolIssues.NODE_QUEUE_FULL.code]: 429 }[code ?? '']
  if (!(error instanceof PuppetError) || status === undefined) return undefined
  const delay = String(randomInt(Math.max(1, Math.min(maxRetryDelay, 2 ** 31))))
  return new Refusal(status, 'text/plain;charset=utf-8', error.message, { 'Retry-After': delay, Connection: 'close' })
}
