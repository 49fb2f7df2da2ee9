import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RubyTypeShape } from '../../../../src/node/resources/ruby/type-shape.ts'
import { NodeRuby } from '../../../../src/ruby/node/node-ruby.ts'
import { debianModules } from '../../../support/debian-modules.ts'
import { nativeRuby } from '../../../support/native-ruby.ts'

/** Files below `provider` that define no provider of their folder's name, but what several of them share. */
const shared: readonly string[] = [
  'cron/filetype',
  'keystone/util',
  'openstack/auth',
  'openstack/credentials',
  // The provider has another name than its file, so that nobody can find it by name: as with Puppet.
  'neutron_agent_vpp/ini_settings',
  'wait_for/wait_for_provider',
]

const hasModules = existsSync(debianModules)
const without = hasModules ? '' : ' (skipped: they are not installed)'

describe.skipIf(!hasModules)(`the types and providers of Debian's modules${without}`, () => {
  const libraries = hasModules
    ? readdirSync(debianModules)
        .map((module) => join(debianModules, module, 'lib'))
        .filter((path) => existsSync(path))
    : []
  const builtin = {
    parameters: ['name'],
    properties: ['ensure', 'owner', 'group', 'mode'],
    namevars: ['name'],
    isomorphic: true,
  }
  const options = {
    root: '',
    nativeRuby,
    settings: {},
    facts: {
      os: { family: 'Debian', name: 'Debian', release: { major: '12', full: '12.5' } },
      kernelversion: '6.1.0',
      kernel: 'Linux',
      osfamily: 'Debian',
      operatingsystem: 'Debian',
      'os.family': 'Debian',
      'os.name': 'Debian',
    },
    loadPath: libraries,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/root' },
    cwd: '/',
    debug: false,
    builtinTypes: Object.fromEntries(
      ['exec', 'file', 'group', 'package', 'service', 'user'].map((name) => [name, builtin]),
    ),
  }
  const ruby = new NodeRuby(options, () => {})
  afterAll(() => ruby.close())

  it('load, all of them', async () => {
    const names = libraries.flatMap((path) => filesIn(join(path, 'puppet', 'type')))
    expect(names.length).toBeGreaterThan(230)
    const shapes = await ruby.call('types', [names])
    const failed = (shapes as unknown as readonly RubyTypeShape[]).filter(({ error }) => error !== undefined)
    expect(failed.map(({ name, error }) => `${name}: ${error}`)).toEqual([])

    const providers = libraries.flatMap((path) => {
      const folder = join(path, 'puppet', 'provider')
      return foldersIn(folder).flatMap((type) => filesIn(join(folder, type)).map((name) => `${type}/${name}`))
    })
    expect(providers.length).toBeGreaterThan(255)
    const wanted = providers.filter((name) => !shared.includes(name))
    const code = `${JSON.stringify(wanted)}.reject { |name| type, provider = name.split('/'); Puppet::Type.type(type)&.provider(provider) }`
    expect(await ruby.call('evaluate', [code, '/test.rb'])).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => (name.endsWith('.rb') ? [name.slice(0, -'.rb'.length)] : []))
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
}
