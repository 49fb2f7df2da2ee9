import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Serving, serve } from '../serving.ts'

const site = (steps: number) => `
  $sum = Integer[1, ${steps}].reduce(0) |$sum, $n| { $sum + $facts['processors']['count'] }
  notify { String($sum): }
`
const nodes = ['a.test', 'b.test', 'c.test', 'd.test']

let repository: ControlRepository
let serving: Serving
beforeEach(async () => {
  repository = controlRepository({ 'manifests/site.pp': site(10) })
  serving = await serve({ code_repo: repository.bare, catalog_trace_checks: '0', compile_workers: '1' })
  for (const node of nodes) await requestCatalog(node)
})
afterEach(() => serving.stop())

/** Requests the catalog of a node; returns its origin. */
async function requestCatalog(node: string): Promise<unknown> {
  const document = JSON.stringify({ name: node, values: { processors: { count: 2 } }, timestamp: '2026-11-28' })
  const facts = { facts_format: 'application/json', facts: encodeURIComponent(document) }
  const { status, headers, text } = await serving.call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...facts, environment: 'production' }).toString(),
  })
  expect(status, text).toBe(200)
  return headers['x-plumb-catalog']
}

/** Pushes manifests of as many steps, and deploys them. */
async function push(steps: number): Promise<void> {
  repository.push({ 'manifests/site.pp': site(steps) })
  await serving.server.reload()
}

const progress = async () => (await serving.server.environments.status())[0]?.ahead
const errors = () => serving.log.filter((line) => JSON.parse(line).level >= 50 || line.includes('compilation failed'))

it('answers requests before it compiles ahead, and compiles the rest when it is idle', async () => {
  await push(100_000)
  // The last node of the round.
  expect(await requestCatalog('a.test')).toBe('compiled')
  expect((await progress())?.compiled).toBeLessThan(3)
  await expect.poll(async () => (await progress())?.compiled).toBe(3)
  await expect.poll(async () => (await progress())?.recalled).toBe(1)
  for (const node of nodes) expect(await requestCatalog(node)).toBe('recalled')
  expect(errors()).toEqual([])
})

it('stops in the middle of compiling ahead', async () => {
  await push(1_000_000_000)
  await expect
    .poll(
      async () =>
        JSON.parse((await serving.call('GET', '/status/v1/services/server?level=debug', { as: 'admin' })).text).status[
          'compile-pool'
        ].background,
    )
    .toBe(1)
  await serving.stop()
  expect(errors()).toEqual([])
})
