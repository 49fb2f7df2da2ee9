import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const hostile = `
node /template/ { notify { 'x': message => inline_template('<% loop {} %>') } }
node default { Integer[1, 1000000000000].each |$i| { $i + 1 } }
`
const compileTimeout = 120

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'x': }\n" })
  repository.push({ 'manifests/site.pp': hostile }, 'hostile')
  serving = await serve({
    code_repo: repository.bare,
    compile_workers: '1',
    compile_timeout: `${compileTimeout}s`,
    compile_slow_after: '1s',
  })
})
afterAll(async () => {
  await serving?.stop()
})

const catalog = (name: string, environment: string) =>
  serving.call('GET', `/puppet/v3/catalog/${name}?environment=${environment}`, {
    as: name,
    headers: { accept: 'application/json' },
  })

it('gives nodes of other environments their catalogs while one environment only loops', async () => {
  const names = (prefix: string) => Array.from({ length: 10 }, (_, index) => `${prefix}${index}.test`)
  const all = [...names('honest'), ...names('template'), ...names('manifest')]
  await Promise.all(all.map((name) => serving.credentials(name)))
  await catalog('honest0.test', 'production')
  const ended: string[] = []
  const loops = [...names('template'), ...names('manifest')].map((name) =>
    catalog(name, 'hostile').then(
      ({ text }) => ended.push(text),
      () => {},
    ),
  )
  const compiling = async () => {
    const path = '/status/v1/services/jruby-metrics?level=debug'
    return (await serving.call('GET', path, { as: 'admin.test' })).text
  }
  await expect.poll(compiling).toContain('"environment":"hostile"')
  const answers = await Promise.all(names('honest').map((name) => catalog(name, 'production')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(ended.filter((text) => text.includes('longer than'))).toEqual([])
  expect(loops).toHaveLength(20)
})

it('refuses a node that asks again and again for a catalog that takes long', async () => {
  const asked = Array.from({ length: 12 }, () => catalog('manifest0.test', 'hostile').catch(() => undefined))
  const first = await Promise.race(asked)
  expect(first?.status).toBe(429)
  expect(Number(first?.headers['retry-after'])).toBeGreaterThanOrEqual(0)
  expect(first?.text).toContain('of manifest0.test waiting for a catalog has exceeded the limit of 4')
})
