import type { FastifyInstance } from 'fastify'
import type { CompilePool } from '../../compiler/workers/pool.ts'
import type { Environments } from '../../environments/environments.ts'
import { parameter } from '../parameters.ts'
import { plainRefusal, Refusal } from '../refusal.ts'
import { type LoopWatch, watchEventLoop } from './event-loop.ts'

/** What the status is made of. */
export interface StatusSources {
  readonly pool: CompilePool
  readonly environments: Environments
  /** Of Plumbline. */
  readonly version: string
  /** Whether this server is the authority, too. */
  readonly authority: boolean
}

const levels = ['critical', 'info', 'debug'] as const
type Level = (typeof levels)[number]

/** `GET /status/v1/simple[/NAME]` and `/status/v1/services[/NAME]`. protocol.md 14. */
export function statusV1(server: FastifyInstance, sources: StatusSources): void {
  const loop = watchEventLoop()
  server.addHook('onClose', async () => loop.close())
  const services: Readonly<Record<string, (level: Level) => Promise<object> | object>> = {
    server: (level) => serverStatus(sources, level),
    ...(sources.authority ? { ca: () => ({}) } : {}),
    'status-service': (level) => (level === 'debug' ? processStatus(loop) : {}),
  }
  const known = new Set(['master', ...Object.keys(services)])

  server.get('/status/v1/simple', async (_request, reply) => reply.type('text/plain;charset=utf-8').send('running'))
  server.get<{ Params: { name: string } }>('/status/v1/simple/:name', async ({ params }, reply) => {
    if (!known.has(params.name)) throw plainRefusal(404, `not found: ${params.name}`)
    return reply.type('text/plain;charset=utf-8').send('running')
  })

  const describe = async (name: string, level: Level) => ({
    service_version: sources.version,
    service_status_version: 1,
    detail_level: level,
    state: 'running',
    status: await services[name]!(level),
    active_alerts: [],
  })
  server.get('/status/v1/services', async (request, reply) => {
    const level = levelOf(parameter(request.call.query, 'level'))
    const described = await Promise.all(Object.keys(services).map(async (name) => [name, await describe(name, level)]))
    return reply.type('application/json').send(JSON.stringify(Object.fromEntries(described)))
  })
  server.get<{ Params: { name: string } }>('/status/v1/services/:name', async (request, reply) => {
    const level = levelOf(parameter(request.call.query, 'level'))
    const name = request.params.name === 'master' ? 'server' : request.params.name
    if (!Object.hasOwn(services, name))
      throw statusRefusal(404, 'service-not-found', `No status information found for service ${name}`)
    return reply.type('application/json').send(JSON.stringify(await describe(name, level)))
  })
}

function levelOf(text = 'info'): Level {
  const level = levels.find((each) => each === text)
  if (!level) throw statusRefusal(400, 'data-invalid', `Invalid level: :${text}`)
  return level
}

function statusRefusal(status: number, kind: string, msg: string): Refusal {
  return new Refusal(status, 'application/json', JSON.stringify({ kind, msg }))
}

/** What is served and how busy we are. The details are for those who ask for them. */
async function serverStatus({ environments, pool }: StatusSources, level: Level): Promise<object> {
  if (level === 'critical') return {}
  const served = await environments.status()
  return {
    environments: served.map(({ name, commit, since, refused }) => ({
      name,
      commit: commit ?? null,
      since: since === undefined ? null : new Date(since).toISOString(),
      refused: refused === undefined ? null : { commit: refused.commit ?? null, reason: refused.reason },
    })),
    ...(level === 'debug' ? { 'compile-pool': pool.status() } : {}),
  }
}

function processStatus(loop: LoopWatch): object {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    'up-time-ms': Math.round(process.uptime() * 1000),
    memory: { rss, 'heap-used': heapUsed, 'heap-total': heapTotal },
    'event-loop-delay-ms': loop.delay(),
  }
}
