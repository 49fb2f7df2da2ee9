import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CertificateFigures } from '../../ca/certificate-alerts.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { Call } from '../http/call.ts'
import { isAdministrator } from '../http/client.ts'
import { getParameter } from '../http/parameters.ts'
import { createPlainRefusal, Refusal } from '../http/refusal.ts'
import { puppetDbVersion } from '../pdb/meta.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Alert } from './alert.ts'
import {
  type Figures,
  getHttpFigures,
  getPoolFigures,
  getProcessFigures,
  getProfilerFigures,
  getSourceFigures,
} from './debug-metrics.ts'
import { createStoreStatus, getStoreFigures, type StoreHealth } from './store-status.ts'

/** Dependencies of the status. */
export interface StatusSources {
  readonly pool: CompilePool
  readonly environments: Environments
  readonly telemetry: Pick<Telemetry, 'timers' | 'process' | 'loop' | 'sources'>
  /** The version of Plumbline. */
  readonly version: string
  /** The store; PuppetDB's clients request its status as `puppetdb-status`. */
  readonly store: NodeStore | undefined
  /** True if this server is also the certificate authority. */
  readonly authority: boolean
  /** Expiry of certificates and revocation lists. */
  certificates(): CertificateFigures
  /** True while the first deployments are in progress. */
  isStarting(): boolean
  /**
   * True after the shutdown was announced; the server still answers so that load balancers notice.
   */
  isStopping(): boolean
  /** Alerts that may be public, such as expiring certificates of the server. */
  alerts(): readonly Alert[]
}

const levels = ['critical', 'info', 'debug'] as const
type Level = (typeof levels)[number]

/** `GET /status/v1/simple[/NAME]` and `/status/v1/services[/NAME]`. protocol.md 14. */
export function addStatusV1Routes(server: FastifyInstance, sources: StatusSources): void {
  const stored = sources.store && createStoreStatus(sources.store)
  const services = createServiceTable(sources, stored)
  const known = new Set(Object.keys(services))

  const getState = () => (sources.isStopping() ? 'stopping' : sources.isStarting() ? 'starting' : 'running')
  const sendState = (reply: FastifyReply) => {
    const text = getState()
    return reply
      .status(text === 'running' ? 200 : 503)
      .type('text/plain;charset=utf-8')
      .send(text)
  }
  server.get('/status/v1/simple', async (_request, reply) => sendState(reply))
  server.get<{ Params: { name: string } }>('/status/v1/simple/:name', async ({ params }, reply) => {
    if (!known.has(params.name)) throw createPlainRefusal(404, `not found: ${params.name}`)
    return sendState(reply)
  })

  const getServiceState = async (name: string) => {
    if (name !== 'puppetdb-status') return getState()
    return sources.isStopping() ? 'stopping' : (await stored?.writes()) ? 'running' : 'error'
  }
  const describeService = async (name: string, asked: StatusRequest) => ({
    service_version: name === 'puppetdb-status' ? puppetDbVersion : sources.version,
    service_status_version: 1,
    detail_level: asked.level,
    state: await getServiceState(name),
    status: await services[name]!(asked),
    active_alerts: name === 'server' || name === 'master' ? [...sources.alerts(), ...(stored?.alerts() ?? [])] : [],
    ...(name === 'puppetdb-status' && { service_name: name }),
  })
  server.get('/status/v1/services', async (request, reply) => {
    const asked = parseStatusRequest(request.call)
    const described = await Promise.all(
      Object.keys(services).map(async (name) => [name, await describeService(name, asked)]),
    )
    return reply.type('application/json').send(JSON.stringify(Object.fromEntries(described)))
  })
  server.get<{ Params: { name: string } }>('/status/v1/services/:name', async (request, reply) => {
    const asked = parseStatusRequest(request.call)
    const { name } = request.params
    if (!Object.hasOwn(services, name))
      throw createStatusRefusal(404, 'service-not-found', `No status information found for service ${name}`)
    return reply.type('application/json').send(JSON.stringify(await describeService(name, asked)))
  })
}

type ServiceTable = Readonly<Record<string, (asked: StatusRequest) => Promise<object> | object>>

/** The details of each service by its name in `/status/v1/services`. */
function createServiceTable(sources: StatusSources, stored: StoreHealth | undefined): ServiceTable {
  const { telemetry, pool } = sources
  return {
    server: (asked) => getServerStatus(sources, asked),
    master: (asked) => getServerStatus(sources, asked),
    ...(sources.authority && {
      ca: ({ level, trust }) => (level === 'debug' && trust === 'administrator' ? sources.certificates() : {}),
    }),
    ...(stored && { 'puppetdb-status': () => stored.details() }),
    'jruby-metrics': (asked) => getExperimentalStatus(asked, () => getPoolFigures(telemetry, pool)),
    'puppet-profiler': (asked) => getExperimentalStatus(asked, () => getProfilerFigures(telemetry)),
    'status-service': async (asked) => ({
      ...(asked.seesFigures && getProcessStatus(telemetry)),
      ...(await getExperimentalStatus(asked, () => getProcessFigures(telemetry))),
    }),
  }
}

/** Requested level of detail, and rights of the client. */
interface StatusRequest {
  readonly level: Level
  readonly trust: 'none' | 'node' | 'administrator'
  /** True if the request asks for figures and the client may read them. */
  readonly seesFigures: boolean
}

function parseStatusRequest({ query, client }: Call): StatusRequest {
  const level = parseLevel(getParameter(query, 'level'))
  const trust = isAdministrator(client) ? 'administrator' : client.certname === undefined ? 'none' : 'node'
  const isTold = trust === 'administrator' || client.token?.scopes.includes('metrics') === true
  return { level, trust, seesFigures: level === 'debug' && isTold }
}

function parseLevel(text = 'info'): Level {
  const level = levels.find((each) => each === text)
  if (!level) throw createStatusRefusal(400, 'data-invalid', `Invalid level: :${text}`)
  return level
}

function createStatusRefusal(status: number, kind: string, msg: string): Refusal {
  return new Refusal(status, 'application/json', JSON.stringify({ kind, msg }))
}

/**
 * Deployed environments and load. Nodes may see environments and commits. The reason for a refused
 * commit quotes code and is therefore only for administrators, as are figures.
 */
async function getServerStatus(sources: StatusSources, { level, trust, seesFigures }: StatusRequest): Promise<object> {
  const { environments, pool, store, telemetry } = sources
  const figures = seesFigures ? { experimental: getHttpFigures(telemetry) } : {}
  if (level === 'critical' || trust === 'none') return figures
  const administers = trust === 'administrator'
  const served = await environments.status()
  return {
    environments: served.map(({ name, commit, since, refused }) => ({
      name,
      commit: commit ?? null,
      since: since === undefined ? null : new Date(since).toISOString(),
      refused:
        refused === undefined
          ? null
          : { commit: refused.commit ?? null, ...(administers ? { reason: refused.reason } : {}) },
    })),
    ...(seesFigures && { 'compile-pool': pool.status(), ...getSourceFigures(telemetry) }),
    ...(seesFigures && store?.upkeep && { store: getStoreFigures(store.upkeep) }),
    ...figures,
  }
}

async function getExperimentalStatus(
  { seesFigures }: StatusRequest,
  figures: () => Figures | Promise<Figures>,
): Promise<object> {
  return seesFigures ? { experimental: await figures() } : {}
}

function getProcessStatus({ loop }: Pick<Telemetry, 'loop'>): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    'up-time-ms': Math.round(process.uptime() * 1000),
    memory: { rss, 'heap-used': heapUsed, 'heap-total': heapTotal },
    'event-loop-delay-ms': loop.delay(),
  }
}
