import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain } from '../../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'

/** A manifest that reads facts, trusted data, and the data of the commit. */
const site = `
node default {
  notify { "\${facts['os']['family']} \${trusted['certname']} \${trusted['authenticated']}": }
  notify { 'all': message => String($facts.keys.sort), }
  notify { 'data': message => lookup('greeting') }
  if $facts['clientnoop'] { notify { 'noop': } }
}
node 'broken.test' { include lookup('class') }
`
const files = {
  'manifests/site.pp': site,
  'hiera.yaml': 'version: 5\nhierarchy: [{ name: all, path: common.yaml }]\n',
  'data/common.yaml': 'greeting: hello\nclass: fine\n',
  'modules/fine/manifests/init.pp': 'class fine { }',
}

let repository: ControlRepository
let serving: Serving
beforeEach(() => {
  repository = controlRepository(files)
})
afterEach(() => serving?.stop())

const start = async (settings: Readonly<Record<string, string>> = {}) => {
  serving = await serve({ code_repo: repository.bare, catalog_trace_checks: '0', autosign: 'true', ...settings })
}

/** How a node's catalog came about, and its commit. */
async function catalog(node: string, extra: object = {}) {
  // The order of facts is the agent's own.
  const values = { zeta: 1, os: { name: 'Debian', family: 'Debian' }, alpha: [1.5, 'x'], ...extra }
  const document = JSON.stringify({ name: node, values, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256.md5' },
  })
  const { status, headers, text } = await serving.call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
  return { status, origin: headers['x-plumb-catalog'], commit: status === 200 ? JSON.parse(text).code_id : text }
}

async function push(greeting: string, changed: Readonly<Record<string, string>> = {}): Promise<string> {
  const commit = repository.push({ 'data/common.yaml': `greeting: ${greeting}\nclass: fine\n`, ...changed })
  await serving.server.reload()
  return commit
}

/** The progress of a round, when all of it is done. */
async function round() {
  const progress = async () => (await serving.server.environments.status())[0]?.ahead
  await expect
    .poll(async () => {
      const { nodes = 0, compiled = 0, recalled = 0, left = 0, failed = 0 } = (await progress()) ?? {}
      return nodes > 0 && compiled + recalled + left + failed === nodes
    })
    .toBe(true)
  return progress()
}

describe('after a push', () => {
  it.each(['none', 'sqlite'])('the next requests of nodes are recalled (store: %s)', async (store) => {
    await start({ store })
    const nodes = ['a.test', 'b.test', 'c.test']
    for (const node of nodes) expect(await catalog(node)).toMatchObject({ origin: 'compiled' })
    const commit = await push('good day')
    expect(await round()).toEqual({ commit, nodes: 3, compiled: 3, recalled: 0, left: 0, failed: 0 })
    for (const node of nodes) expect(await catalog(node)).toEqual({ status: 200, origin: 'recalled', commit })
    const next = await push('good day', { 'README.md': 'Nobody reads it.' })
    expect(await round()).toEqual({ commit: next, nodes: 3, compiled: 0, recalled: 3, left: 0, failed: 0 })
    const { stdout } = await plumb([
      'code',
      'status',
      '--confdir',
      serving.settings.confdir,
      '--vardir',
      serving.settings.vardir,
    ])
    expect(stdout).toContain('Compiled ahead: 3 of 3 nodes (0 compiled, 3 unchanged)')
  })

  it('nodes are compiled that asked before a restart, at the start, too', async () => {
    await start()
    await catalog('a.test')
    const { confdir, vardir } = serving.settings
    await serving.stop()
    const commit = repository.push({ 'data/common.yaml': 'greeting: while it was away\n' })
    await start({ confdir, vardir })
    expect(await round()).toMatchObject({ commit, compiled: 1 })
  })

  it('what fails is said once, with a count, and an agent hears it as before', async () => {
    await start()
    for (const node of ['a.test', 'broken.test']) await catalog(node)
    const commit = await push('hello', { 'data/common.yaml': 'greeting: hello\nclass: missing\n' })
    expect(await round()).toMatchObject({ commit, nodes: 2, recalled: 1, failed: 1 })
    const lines = serving.log.filter((line) => line.includes('missing'))
    expect(lines.length).toBe(1)
    expect(lines[0]).toContain(
      `Environment production at ${commit}: catalog compilation failed for 1 of 2 nodes: broken.test: `,
    )
    expect((await catalog('broken.test')).commit).toContain('missing')
  })

  it('nodes that were deactivated are left out', async () => {
    await start({ store: 'sqlite', facts_terminus: 'json' })
    for (const node of ['a.test', 'b.test']) await catalog(node)
    const { confdir, vardir } = serving.settings
    await plumb(['node', 'deactivate', 'b.test', '--store', 'sqlite', '--confdir', confdir, '--vardir', vardir])
    await expect
      .poll(async () => (await serving.call('GET', '/pdb/query/v4/nodes', { as: 'admin' })).text)
      .not.toContain('b.test')
    await push('good day')
    expect(await round()).toMatchObject({ nodes: 2, compiled: 1, left: 1 })
  })

  it.each([[{ catalog_traces: 'false' }], [{ compile_ahead_workers: '0' }]])(
    'nothing is done with %j',
    async (settings) => {
      await start(settings)
      await catalog('a.test')
      await push('good day')
      expect((await serving.server.environments.status())[0]?.ahead).toBeUndefined()
      expect(await catalog('a.test')).toMatchObject({ origin: 'compiled' })
    },
  )

  it('says nothing of what manifests say, and exports nothing of nodes that have not asked', async () => {
    await start({ storeconfigs: 'true' })
    await catalog('a.test')
    await push('good day', { 'manifests/site.pp': "@@notify { 'out': }\nnotice('heard once')\n" })
    expect(await round()).toMatchObject({ compiled: 1 })
    expect(serving.log.filter((line) => line.includes('heard once'))).toEqual([])
    const exports = join(serving.settings.server_datadir, 'exports')
    expect(existsSync(exports) ? readdirSync(exports) : []).toEqual([])
  })
})

describe('agents', () => {
  const folders = ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
  it.each([
    ['ours', [process.execPath, plumbMain, 'agent'], ['confdir', 'vardir', 'publicdir'], true, ''],
    ['of Puppet', ['puppet', 'agent', ...noModules], folders, hasPuppet, withoutPuppet],
  ] as const)('%s are recalled after a push', async ({ length: _ }, program, places, isHere, __) => {
    if (!isHere) return
    const home = scratchFolder('ahead-agent')
    // Some of an agent's facts are others each time.
    repository.push({ 'manifests/site.pp': site.replace(/^.*facts.keys.*$/m, '') })
    await start({ store: 'sqlite' })
    const run = async () => {
      const who = ['--test', '--noop', '--server', 'localhost', '--certname', 'real.test', '--keylength', '2048']
      const given = places.flatMap((place) => [`--${place}`, join(home, place)])
      const [file, ...words] = [...program, ...who, '--serverport', new URL(serving.server.url).port, ...given]
      const { exitCode, all } = await execa(file!, words, { reject: false, all: true })
      expect(exitCode, String(all)).toBe(0)
    }
    const counts = async () => {
      const path = '/status/v1/services/server?level=debug'
      return JSON.parse((await serving.call('GET', path, { as: 'admin' })).text).status['compile-pool']
    }
    await run()
    const before = await counts()
    await push('good day')
    expect(await round()).toMatchObject({ nodes: 1, compiled: 1 })
    await run()
    expect(await counts()).toMatchObject({ compiled: before.compiled, recalled: before.recalled + 1 })
  })
})
