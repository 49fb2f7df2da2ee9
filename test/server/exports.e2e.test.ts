import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb } from '../support/plumb.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving

beforeAll(() => {
  repository = controlRepository({
    'manifests/site.pp': `
define member(Integer $port, Hash $options = {}) { notify { "\${title}:\${port} \${options}": } }
node /^web/ { @@member { $trusted['certname']: port => 80, options => { '10' => 1.0, '9' => 'x' }, tag => 'farm' } }
node 'idle.test' { }
node 'broken.test' {
  @@member { 'broken': port => 80 }
  fail('no')
}
node default { Member <<| tag == 'farm' |>> }
`,
  })
})
afterEach(() => serving?.stop())

const start = async (given: Record<string, string>) => {
  serving = await serve({ code_repo: repository.bare, ...given })
}

async function membersOf(node: string): Promise<string[]> {
  const headers = { accept: 'application/vnd.puppet.rich+json' }
  const path = `/puppet/v3/catalog/${node}?environment=production`
  const { status, text } = await serving.call('GET', path, { as: node, headers })
  if (status !== 200) return [JSON.parse(text).message]
  const resources = JSON.parse(text).resources as { type: string; title: string }[]
  return resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
}

const both = ['web1.test:80 {10 => 1.0, 9 => x}', 'web2.test:80 {10 => 1.0, 9 => x}']

describe('exported resources on a server', () => {
  it.each([
    ['json', 'none'],
    ['memory', 'none'],
    ['puppetdb', 'sqlite'],
  ])('reach the catalogs of those who collect them, kept in %s', async (backend, store) => {
    await start({ storeconfigs: 'true', storeconfigs_backend: backend, store })
    expect(await membersOf('lb.test')).toEqual([])
    for (const node of ['web2.test', 'web1.test', 'idle.test']) expect(await membersOf(node)).toEqual([])
    expect(await membersOf('lb.test')).toEqual(both)
    expect(await membersOf('broken.test')).toEqual([expect.stringContaining('no')])
    expect(await membersOf('lb.test')).toEqual(both)
  })

  it('are files of the nodes that export something', async () => {
    await start({ storeconfigs: 'true' })
    for (const node of ['web1.test', 'idle.test', 'lb.test', 'broken.test']) await membersOf(node)
    expect(readdirSync(join(serving.settings.server_datadir, 'exports'))).toEqual(['web1.test.json'])
  })

  it('go when a node is deactivated beside the running server', async () => {
    await start({ storeconfigs: 'true' })
    await Promise.all(['web1.test', 'web2.test'].map(membersOf))
    expect(await membersOf('lb.test')).toEqual(both)
    const { confdir, vardir, rundir } = serving.settings
    const settings = ['--confdir', confdir, '--vardir', vardir, '--rundir', rundir]
    const { stdout, exitCode } = await plumb(['node', 'deactivate', 'web1.test', 'gone.test', ...settings])
    expect([exitCode, stdout]).toEqual([0, 'web1.test: exported resources removed\ngone.test: no exported resources'])
    expect(await membersOf('lb.test')).toEqual(both.slice(1))
    await membersOf('web1.test')
    expect(await membersOf('lb.test')).toEqual(both)
  })

  it('that cannot be read fail the catalogs that collect them, and no others', async () => {
    await start({ storeconfigs: 'true' })
    await membersOf('web1.test')
    const file = join(serving.settings.server_datadir, 'exports/web2.test.json')
    writeFileSync(file, '{')
    expect(await membersOf('lb.test')).toEqual([
      expect.stringMatching(`Could not read exported resources from ${file}: .* on node lb.test`),
    ])
    expect(await membersOf('web2.test')).toEqual([])
    expect(await membersOf('lb.test')).toEqual(both)
  })

  it('are not kept without storeconfigs', async () => {
    await start({})
    await membersOf('web1.test')
    expect(await membersOf('lb.test')).toEqual([])
    expect(serving.log.join('')).toContain('You cannot collect exported resources without storeconfigs being set')
    expect(existsSync(join(serving.settings.server_datadir, 'exports'))).toBe(false)
  })

  it.each([
    ['store_configs', "Invalid value 'store_configs' for parameter storeconfigs_backend"],
    ['puppetdb', 'The puppetdb terminus of storeconfigs_backend requires a store'],
  ])('are not kept by the backend %s, which is not there', async (backend, message) => {
    await expect(
      serve({ code_repo: repository.bare, storeconfigs: 'true', storeconfigs_backend: backend }),
    ).rejects.toThrow(message)
  })
})
