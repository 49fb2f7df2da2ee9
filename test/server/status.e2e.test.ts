import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
let good: string
let bad: string

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  good = repository.git('rev-parse', 'HEAD')
  serving = await serve({ code_repo: repository.bare })
  // The server refuses it, as the hook would have.
  bad = repository.push({ 'environment.conf': 'manifest = /etc/secret-place\nmodulepath = "' })
  await serving.server.reload().catch(() => {})
  await serving.credentials('revoked.test')
  await serving.revoke('revoked.test')
})
afterAll(async () => {
  await serving?.stop()
})

const names = ['server', 'status-service', 'ca', 'master', 'jruby-metrics', 'puppet-profiler']
const paths = ['services', ...names.map((name) => `services/${name}`)]
const levels = ['critical', 'info', 'debug']

/** What stands in the status of the server itself. */
async function told(level: string, as: string | undefined): Promise<Record<string, unknown>> {
  const call = as === undefined ? {} : { as }
  const { status, text } = await serving.call('GET', `/status/v1/services/server?level=${level}`, call)
  expect(status).toBe(200)
  return JSON.parse(text).status
}

describe('/status/v1/services', () => {
  const since = expect.stringMatching(/^\d{4}-/)
  const environment = (refused: object | null) => ({ name: 'production', commit: good, since, refused })
  const forNodes = () => ({ environments: [environment({ commit: bad })] })
  const reason = expect.stringContaining('secret-place')
  const forAdministrators = () => ({ environments: [environment({ commit: bad, reason })] })
  const figures = () => ({
    ...forAdministrators(),
    'compile-pool': expect.objectContaining({ size: 2 }),
    'source-fetches': {},
    webhooks: {},
    experimental: { 'http-metrics': expect.any(Array), 'http-client-metrics': [] },
  })

  it.each<[string | undefined, string, () => object]>([
    [undefined, 'critical', () => ({})],
    [undefined, 'info', () => ({})],
    [undefined, 'debug', () => ({})],
    ['revoked.test', 'debug', () => ({})],
    ['a.test', 'critical', () => ({})],
    ['a.test', 'info', forNodes],
    ['a.test', 'debug', forNodes],
    ['admin', 'info', forAdministrators],
    ['admin', 'debug', figures],
  ])('tells %s at level %s no more than is his', async (as, level, expected) => {
    expect(await told(level, as)).toEqual(expected())
  })

  it.each(levels.flatMap((level) => paths.map((path) => `${path}?level=${level}`)))(
    'tells anybody nothing of the code: %s',
    async (path) => {
      const { status, text } = await serving.call('GET', `/status/v1/${path}`)
      expect(status).toBe(200)
      for (const secret of [good, bad, 'production', 'environment.conf', 'secret-place', 'heap', 'rss'])
        expect(text).not.toContain(secret)
    },
  )

  it('tells figures of the process to administrators alone', async () => {
    const memory = async (as: string) =>
      JSON.parse((await serving.call('GET', '/status/v1/services?level=debug', { as })).text)['status-service'].status
    expect([await memory('a.test'), await memory('admin')]).toEqual([
      {},
      {
        ...{ 'up-time-ms': expect.any(Number), memory: expect.any(Object), 'event-loop-delay-ms': expect.any(Object) },
        experimental: { 'jvm-metrics': expect.any(Object) },
      },
    ])
  })
})
