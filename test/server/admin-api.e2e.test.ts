import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const root = '/puppet-admin-api/v1'
let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  const slow = 'Integer[1, 1500].each |$x| { Integer[1, 1500].each |$y| { $z = "${x}${y}" } }\n'
  repository = controlRepository({ 'manifests/site.pp': `node 'slow.test' {\n${slow}}\nnode default { }\n` })
  serving = await serve({ code_repo: repository.bare, catalog_traces: 'false' })
})
afterAll(async () => {
  await serving?.stop()
})

const ask = (method: string, path: string, as = 'admin') => serving.call(method, `${root}/${path}`, { as })
const catalog = (as: string) =>
  serving.call('GET', `/puppet/v3/catalog/${as}?environment=production`, {
    as,
    headers: { accept: 'application/json' },
  })
const allow = `authorization: { version: 1, rules: [
  { match-request: { path: "/puppet-admin-api", type: path }, allow: admin, sort-order: 1, name: "admin" },
  { match-request: { path: "/puppet", type: path }, allow: "*", sort-order: 2, name: "rest" } ] }`

describe('puppet-admin-api', () => {
  it.each(['environment-cache', 'jruby-pool', 'jruby-pool/thread-dump', ''])(
    'is denied by default: %s',
    async (path) => {
      for (const method of ['GET', 'DELETE'])
        for (const as of ['admin', 'a.test'])
          expect([method, (await ask(method, path, as)).status]).toEqual([method, 403])
    },
  )

  describe('where a rule allows it', () => {
    beforeAll(async () => {
      writeFileSync(join(serving.folder, 'etc/auth.conf'), allow)
      await serving.server.reload()
    })

    it.each<[string, string, number, string | undefined]>([
      ['DELETE', 'environment-cache', 204, undefined],
      ['DELETE', 'environment-cache?environment=production', 204, undefined],
      ['DELETE', 'environment-cache?environment=nope', 204, undefined],
      ['GET', 'environment-cache', 405, 'DELETE'],
      ['POST', 'environment-cache', 405, 'DELETE'],
      ['HEAD', 'environment-cache', 405, 'DELETE'],
      ['DELETE', 'jruby-pool', 204, undefined],
      ['GET', 'jruby-pool', 405, 'DELETE'],
      ['GET', 'jruby-pool/thread-dump', 200, undefined],
      ['DELETE', 'jruby-pool/thread-dump', 405, 'GET'],
      ['GET', 'nope', 404, undefined],
    ])('answers %s %s with %d', async (method, path, status, allowed) => {
      const answer = await ask(method, path)
      expect([answer.status, answer.headers['allow']]).toEqual([status, allowed])
      if (status === 204) expect(answer.bytes).toHaveLength(0)
      if (status === 405 && method !== 'HEAD') expect(answer.text).toBe('Method not allowed.')
    })

    it('still denies it to others', async () => {
      expect((await ask('DELETE', 'jruby-pool', 'a.test')).status).toBe(403)
    })

    it('looks for new code before it answers', async () => {
      const commit = repository.push({ 'data/new.yaml': '' })
      expect((await ask('DELETE', 'environment-cache')).status).toBe(204)
      const served = await serving.server.environments.status()
      expect(served.map((each) => each.commit)).toEqual([commit])
    })

    it('renews threads, and a catalog that is being compiled comes to its end', async () => {
      const numbers = async () => Object.keys(JSON.parse((await ask('GET', 'jruby-pool/thread-dump')).text))
      await catalog('a.test')
      const before = await numbers()
      const going = catalog('slow.test')
      await expect.poll(async () => (await ask('GET', 'jruby-pool/thread-dump')).text).toContain('slow.test')
      expect((await ask('DELETE', 'jruby-pool')).status).toBe(204)
      const others = Array.from({ length: 6 }, (_, number) => catalog(`n${number}.test`))
      expect((await going).status).toBe(200)
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(6).fill(200))
      const after = await numbers()
      expect(after).toHaveLength(2)
      expect(after.filter((each) => before.includes(each))).toEqual([])
    })

    it('tells what each thread does: whose catalog, in which code, for how long', async () => {
      const going = catalog('slow.test')
      const dump = async () => JSON.parse((await ask('GET', 'jruby-pool/thread-dump')).text)
      const busy = async () => Object.values<{ work: object | null }>(await dump()).filter(({ work }) => work)
      await expect.poll(busy).toHaveLength(1)
      const [{ commit } = { commit: '' }] = await serving.server.environments.status()
      expect(await busy()).toEqual([
        {
          'thread-dump': expect.stringMatching(
            /^has compiled the catalog of slow\.test, environment production at [0-9a-f]{40}, for \d+ ms$/,
          ),
          lane: 'quick',
          work: { node: 'slow.test', environment: 'production', codeId: commit, ms: expect.any(Number) },
        },
      ])
      expect((await going).status).toBe(200)
      expect(Object.values<{ 'thread-dump': string }>(await dump()).map((each) => each['thread-dump'])).toEqual([
        'idle',
        'idle',
      ])
    })
  })
})
