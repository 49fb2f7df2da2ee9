import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../src/server/auth/token-file.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

/** A span that has ended, as an SDK would export it. */
interface Exported {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly attributes: Attributes
  readonly status: SpanStatus | undefined
}

const exported: Exported[] = []

/** So much of an SDK as the interface of OpenTelemetry asks of one: it keeps what has ended. */
function recordingTracer(): Tracer {
  const begin = (name: string, options: SpanOptions = {}, parent: Context = context.active()): Span => {
    const above = trace.getSpanContext(parent)
    const isChild = above !== undefined && isSpanContextValid(above)
    const own: SpanContext = {
      traceId: isChild ? above.traceId : randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: 1,
    }
    const attributes: Attributes = { ...options.attributes }
    let status: SpanStatus | undefined
    const span: Partial<Span> = {
      spanContext: () => own,
      isRecording: () => true,
      setAttribute: (key, value) => {
        attributes[key] = value
        return span as Span
      },
      setAttributes: (more) => {
        Object.assign(attributes, more)
        return span as Span
      },
      setStatus: (given) => {
        status = given
        return span as Span
      },
      end: () => {
        exported.push({ name, ...own, parentId: isChild ? above.spanId : undefined, attributes, status })
      },
    }
    return span as Span
  }
  return {
    startSpan: begin,
    startActiveSpan(name: string, ...rest: unknown[]) {
      const work = rest.pop() as (span: Span) => unknown
      const span = begin(name, rest[0] as SpanOptions, rest[1] as Context)
      return context.with(trace.setSpan(context.active(), span), () => work(span))
    },
  } as Tracer
}

function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (given, work, self, ...words) => storage.run(given, () => work.call(self as never, ...words)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

/** `traceparent` of W3C Trace Context. */
const w3c: TextMapPropagator = {
  inject: () => {},
  extract(parent, carrier, getter) {
    const [, traceId, spanId] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(getter.get(carrier, 'traceparent'))) ?? []
    return traceId && spanId ? trace.setSpanContext(parent, { traceId, spanId, traceFlags: 1, isRemote: true }) : parent
  },
  fields: () => ['traceparent'],
}

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  trace.setGlobalTracerProvider({ getTracer: recordingTracer })
  context.setGlobalContextManager(asyncContexts())
  propagation.setGlobalPropagator(w3c)
  repository = controlRepository({
    'manifests/site.pp': "node 'bad.test' { fail('secret words') }\nnode default { }\n",
  })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  await serving?.stop()
  trace.disable()
  context.disable()
  propagation.disable()
})

const foreign = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = `00-${foreign.traceId}-${foreign.spanId}-01`

async function catalog(node: string, id: string) {
  const facts = encodeURIComponent(
    JSON.stringify({ name: node, values: { a: 1 }, timestamp: '2026-11-23', expiration: '2027-11-23' }),
  )
  const form = new URLSearchParams({ facts_format: 'application/json', facts, environment: 'production' })
  const headers = {
    ...{ accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
    ...{ 'x-request-id': id, traceparent },
  }
  const path = `/puppet/v3/catalog/${node}?environment=production`
  return serving.call('POST', path, { as: node, headers, body: form.toString() })
}
/** The span of a request, when it is over. */
async function requestSpan(id: string): Promise<Exported> {
  const find = () => exported.find(({ attributes }) => attributes['plumb.request'] === id)
  await expect.poll(find).toBeDefined()
  return find()!
}

describe('where an SDK of OpenTelemetry is registered', () => {
  it('has a deploy as a span', () => {
    const [deploy] = exported.filter(({ name }) => name === 'deploy environment')
    expect(deploy).toMatchObject({
      parentId: undefined,
      attributes: { 'plumb.environment': 'production' },
      status: undefined,
    })
  })

  it('has spans of a request, and below it of the facts that it saved and of its catalog', async () => {
    expect((await catalog('a.test', 'one')).status).toBe(200)
    const request = await requestSpan('one')
    expect(request).toMatchObject({
      name: 'POST /puppet/v3/catalog/*',
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.route': '/puppet/v3/catalog/*', 'http.response.status_code': 200 },
        'plumb.client': 'a.test',
      },
    })
    const below = exported.filter(({ parentId }) => parentId === request.spanId)
    expect(below.map(({ name }) => name).sort()).toEqual(['compile catalog', 'save facts'])
    const commit = repository.git('rev-parse', 'HEAD')
    expect(below.find(({ name }) => name === 'compile catalog')!.attributes).toEqual({
      ...{
        'plumb.node': 'a.test',
        'plumb.environment': 'production',
        'plumb.code_id': commit,
        'plumb.catalog': 'compiled',
      },
    })
  })

  it('says of one that failed that it did, and none of its words', async () => {
    expect((await catalog('bad.test', 'two')).status).toBe(500)
    const request = await requestSpan('two')
    const failed = exported.filter(({ status }) => status?.code === 2)
    expect(failed.map(({ name }) => name)).toEqual(['compile catalog', request.name])
    expect(JSON.stringify(exported)).not.toContain('secret words')
  })

  it.each<[string, boolean, () => Promise<{ as?: string; headers?: Record<string, string> }>]>([
    ['a stranger', false, async () => ({})],
    ['a node', false, async () => ({ as: 'a.test' })],
    ['an administrator', true, async () => ({ as: 'admin' })],
    [
      'a tool with a token',
      true,
      async () => {
        const wish = { name: 'tool', description: '', scopes: ['query'], expires: undefined }
        const token = await addToken(getTokenPaths(serving.settings).tokens, wish, localSystem.files, Date.now())
        return { headers: { authorization: `Bearer ${token}` } }
      },
    ],
  ])('heeds a traceparent of a client that is trusted: %s, %j', async (_, isHeeded, who) => {
    const id = `of-${Math.random().toString(36).slice(2)}`
    const { as, headers } = await who()
    await serving.call('GET', '/status/v1/services', {
      ...(as && { as }),
      headers: { ...headers, traceparent, 'x-request-id': id },
    })
    const { traceId, parentId } = await requestSpan(id)
    expect([traceId === foreign.traceId, parentId === foreign.spanId]).toEqual([isHeeded, isHeeded])
  })
})
