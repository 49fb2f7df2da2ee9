import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Serving, serve } from '../serving.ts'
import { NodeCertificates, nodeNames, rolloutWhen, SimulatedFleet } from './simulated-fleet.ts'

const plan = `
waves:
  - { name: canary, nodes: { certnames: ['n000*', 'n001*', 'n002*', 'n003*', 'n004*', 'n005*', 'n006*', 'n007*', 'n008*', 'n009*'] } }
  - { name: half, nodes: { percent: 50 } }
  - { name: rest }
halt: { failed: 5% }
`
const site = (text: string) => ({
  'manifests/site.pp': `notify { '${text}': }`,
  'modules/demo/lib/facter/demo.rb': `# ${text}`,
  'modules/demo/files/a.txt': text,
})

let repository: ControlRepository
let serving: Serving
let fleet: SimulatedFleet
let certificates: NodeCertificates
let first: string

beforeEach(async () => {
  repository = controlRepository({ ...site('first'), 'rollout.yaml': plan })
  first = repository.git('rev-parse', 'HEAD')
  await start()
  certificates = new NodeCertificates(() => serving)
  fleet = new SimulatedFleet(nodeNames(40), certificates.nodeCall)
  await fleet.run()
  expect(fleet.receiversOf(first)).toHaveLength(40)
})
afterEach(() => serving?.stop())

async function start(given: Readonly<Record<string, string>> = {}): Promise<void> {
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', ...given })
}

async function push(files: Parameters<ControlRepository['push']>[0]): Promise<string> {
  const commit = repository.push(files)
  await serving.server.reload()
  return commit
}

const canary = () => fleet.names.slice(0, 10)
const others = () => fleet.names.slice(10)

describe('a push with a rollout.yaml', () => {
  it('reaches the nodes in waves', async () => {
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    await fleet.run()
    expect(fleet.receiversOf(second)).toEqual(canary())
    await rolloutWhen(serving, ({ started }) => started === 2)
    await fleet.run()
    const half = fleet.receiversOf(second).length
    expect(half).toBeGreaterThan(20)
    expect(half).toBeLessThan(40)
    await rolloutWhen(serving, ({ started }) => started === 3)
    await fleet.run()
    expect(fleet.receiversOf(second)).toHaveLength(40)
    await rolloutWhen(serving, ({ phase }) => phase === 'complete')
    expect((await serving.server.rollouts!.get('production')).stable).toBe(second)
  })

  it('is taken back when nodes of the canary wave fail, and no other node ever receives it', async () => {
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    await fleet.run(fleet.names, (codeId, name) => (codeId === second && /^n00[36]/.test(name) ? 'failed' : 'changed'))
    const { reason } = await rolloutWhen(serving, ({ phase }) => phase === 'halted')
    expect(reason).toMatch(/^2 of 10 nodes \(n003-b2.test, n006-a1.test\) of wave 'canary' failed$/)
    const runs = await fleet.run()
    expect(new Set(runs.map(({ codeId }) => codeId))).toEqual(new Set([first]))
    expect(fleet.receiversOf(second)).toEqual(canary())
    const { rollout } = await serving.server.rollouts!.get('production')
    expect(rollout?.waves[0]).toMatchObject({
      name: 'canary',
      state: 'rolled back',
      failed: ['n003-b2.test', 'n006-a1.test'],
    })
  })

  it('does not halt because of one node, or of a node that failed before', async () => {
    await fleet.run([fleet.names[4]!], () => 'failed')
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    await fleet.run(canary(), (_, name) => (/^n00[34]/.test(name) ? 'failed' : 'changed'))
    await rolloutWhen(serving, ({ started }) => started === 2)
    expect(fleet.receiversOf(second)).toEqual(canary())
  })

  it('gives plug-ins and files of the commit that the node is assigned', async () => {
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    const read = async (certname: string) => {
      const plugins = await certificates.call(certname, 'GET', '/plumb/v1/plugins/production')
      const path = '/puppet/v3/file_content/modules/demo/a.txt?environment=production'
      const file = await certificates.call(certname, 'GET', path, { headers: { accept: 'application/octet-stream' } })
      return [plugins.headers['x-plumb-code-id'], file.text]
    }
    expect(await read(canary()[0]!)).toEqual([second, 'second'])
    expect(await read(others()[0]!)).toEqual([first, 'first'])
  })

  it('starts no wave in which catalogs do not compile', async () => {
    const second = await push({
      'manifests/site.pp': `if $trusted['certname'] =~ /^n00/ { fail('broken') } notify { 'second': }`,
    })
    await rolloutWhen(serving, ({ phase }) => phase === 'halted')
    await fleet.run()
    expect(fleet.receiversOf(second)).toEqual([])
  })

  it('gives unaffected nodes the commit at once', async () => {
    const changed = `if $trusted['certname'] =~ /^n00/ { notify { 'second': } } else { notify { 'first': } }`
    const second = await push({ 'manifests/site.pp': changed })
    await rolloutWhen(serving, ({ started }) => started === 1)
    await fleet.run()
    expect(fleet.receiversOf(second)).toHaveLength(40)
  })

  it('continues after a restart in each state', async () => {
    const { folder } = serving
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    await serving.stop()
    await start({ confdir: `${folder}/etc`, vardir: `${folder}/var` })
    await fleet.run()
    expect(fleet.receiversOf(second)).toEqual(canary())
    await rolloutWhen(serving, ({ started }) => started === 2)
  })

  it('begins, too, for a branch that was deleted and created again', async () => {
    repository.gitBare('update-ref', '-d', 'refs/heads/production')
    await serving.server.reload()
    expect(await serving.server.environments.list()).toEqual([])
    const second = await push(site('second'))
    await fleet.run(others())
    expect(fleet.receiversOf(second)).toEqual([])
    await rolloutWhen(serving, ({ started }) => started === 1)
  })

  it('begins for a push that arrived while no server was running', async () => {
    const { folder } = serving
    await serving.stop()
    const second = repository.push(site('second'))
    await start({ confdir: `${folder}/etc`, vardir: `${folder}/var` })
    await fleet.run(others())
    expect(fleet.receiversOf(second)).toEqual([])
    await rolloutWhen(serving, ({ started }) => started === 1)
  })

  it('is replaced by a later push; nodes keep what they have until their wave starts', async () => {
    const second = await push(site('second'))
    await rolloutWhen(serving, ({ started }) => started === 1)
    await fleet.run(canary())
    await rolloutWhen(serving, ({ started }) => started === 2)
    const third = await push({
      ...site('third'),
      'rollout.yaml': plan.replace('name: canary', 'name: canary, approve: true'),
    })
    await rolloutWhen(serving, ({ waiting }) => waiting === 'approval')
    const runs = await fleet.run()
    expect(runs.filter(({ codeId }) => codeId === third)).toEqual([])
    expect(new Set(runs.slice(0, 10).map(({ codeId }) => codeId))).toEqual(new Set([second]))
    await serving.server.rollouts!.act({ environment: 'production', action: 'abort', by: 'test' })
    expect(new Set((await fleet.run()).map(({ codeId }) => codeId))).toEqual(new Set([first]))
    await serving.server.rollouts!.act({ environment: 'production', action: 'promote', by: 'test' })
    expect(new Set((await fleet.run()).map(({ codeId }) => codeId))).toEqual(new Set([third]))
  })
})
