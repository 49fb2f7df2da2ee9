import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CertificateFigures } from '../../ca/certificate-ends.ts'
import type { Environments } from '../../code/environments/environments.ts'
import type { CompilePool } from '../../compiler/workers/pool.ts'
import type { NodeStore } from '../../store/node-store.ts'
import type { Call } from '../http/call.ts'
import { isAdministrator } from '../http/client.ts'
import { parameter } from '../http/parameters.ts'
import { plainRefusal, Refusal } from '../http/refusal.ts'
import { puppetDbVersion } from '../pdb/meta.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Alert } from './alert.ts'
import { type Figures, httpFigures, poolFigures, processFigures, profilerFigures, sourceFigures } from './figures.ts'
import { storeFigures, storeStatus } from './store-status.ts'

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
export function statusV1(server: FastifyInstance, sources: StatusSources): void {
  const { telemetry, pool } = sources
  const stored = sources.store && storeStatus(sources.store)
  const services: Readonly<Record<string, (asked: Asked) => Promise<object> | object>> = {
    server: (asked) => serverStatus(sources, asked),
    master: (asked) => serverStatus(sources, asked),
    ...(sources.authority && {
      ca: ({ level, trust }) => (level === 'debug' && trust === 'administrator' ? sources.certificates() : {}),
    }),
    ...(stored && { 'puppetdb-status': () => stored.details() }),
    'jruby-metrics': (asked) => experimental(asked, () => poolFigures(telemetry, pool)),
    'puppet-profiler': (asked) => experimental(asked, () => profilerFigures(telemetry)),
    'status-service': async (asked) => ({
      ...(asked.seesFigures && processStatus(telemetry)),
      ...(await experimental(asked, () => processFigures(telemetry))),
    }),
  }
  const known = new Set(Object.keys(services))

  const state = () => (sources.isStopping() ? 'stopping' : sources.isStarting() ? 'starting' : 'running')
  const simply = (reply: FastifyReply) => {
    const text = state()
    return reply
      .status(text === 'running' ? 200 : 503)
      .type('text/plain;charset=utf-8')
      .send(text)
  }
  server.get('/status/v1/simple', async (_request, reply) => simply(reply))
  server.get<{ Params: { name: string } }>('/status/v1/simple/:name', async ({ params }, reply) => {
    if (!known.has(params.name)) throw plainRefusal(404, `not found: ${params.name}`)
    return simply(reply)
  })

  const stateOf = async (name: string) => {
    if (name !== 'puppetdb-status') return state()
    return sources.isStopping() ? 'stopping' : (await stored?.writes()) ? 'running' : 'error'
  }
  const describe = async (name: string, asked: Asked) => ({
    service_version: name === 'puppetdb-status' ? puppetDbVersion : sources.version,
    service_status_version: 1,
    detail_level: asked.level,
    state: await stateOf(name),
    status: await services[name]!(asked),
    active_alerts: name === 'server' || name === 'master' ? [...sources.alerts(), ...(stored?.alerts() ?? [])] : [],
    ...(name === 'puppetdb-status' && { service_name: name }),
  })
  server.get('/status/v1/services', async (request, reply) => {
    const asked = askedBy(request.call)
    const described = await Promise.all(Object.keys(services).map(async (name) => [name, await describe(name, asked)]))
    return reply.type('application/json').send(JSON.stringify(Object.fromEntries(described)))
  })
  server.get<{ Params: { name: string } }>('/status/v1/services/:name', async (request, reply) => {
    const asked = askedBy(request.call)
    const { name } = request.params
    if (!Object.hasOwn(services, name))
      throw statusRefusal(404, 'service-not-found', `No status information found for service ${name}`)
    return reply.type('application/json').send(JSON.stringify(await describe(name, asked)))
  })
}

/** Requested level of detail, and rights of the client. */
interface Asked {
  readonly level: Level
  readonly trust: 'none' | 'node' | 'administrator'
  /** True if the request asks for figures and the client may read them. */
  readonly seesFigures: boolean
}

function askedBy({ query, client }: Call): Asked {
  const level = levelOf(parameter(query, 'level'))
  const trust = isAdministrator(client) ? 'administrator' : client.certname === undefined ? 'none' : 'node'
  const isTold = trust === 'administrator' || client.token?.scopes.includes('metrics') === true
  return { level, trust, seesFigures: level === 'debug' && isTold }
}

function levelOf(text = 'info'): Level {
  const level = levels.find((each) => each === text)
  if (!level) throw statusRefusal(400, 'data-invalid', `Invalid level: :${text}`)
  return level
}

function statusRefusal(status: number, kind: string, msg: string): Refusal {
  return new Refusal(status, 'application/json', JSON.stringify({ kind, msg }))
}

/**
 * Deployed environments and load. Nodes may see environments and commits. The reason for a refused
 * commit quotes code and is therefore only for administrators, as are figures.
 */
async function serverStatus(sources: StatusSources, { level, trust, seesFigures }: Asked): Promise<object> {
  const { environments, pool, store, telemetry } = sources
  const figures = seesFigures ? { experimental: httpFigures(telemetry) } : {}
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
    ...(seesFigures && { 'compile-pool': pool.status(), ...sourceFigures(telemetry) }),
    ...(seesFigures && store?.upkeep && { store: storeFigures(store.upkeep) }),
    ...figures,
  }
}

async function experimental({ seesFigures }: Asked, figures: () => Figures | Promise<Figures>): Promise<object> {
  return seesFigures ? { experimental: await figures() } : {}
}

function processStatus({ loop }: Pick<Telemetry, 'loop'>): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    'up-time-ms': Math.round(process.uptime() * 1000),
    memory: { rss, 'heap-used': heapUsed, 'heap-total': heapTotal },
    'event-loop-delay-ms': loop.delay(),
  }
}
