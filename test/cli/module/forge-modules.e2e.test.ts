import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openForge, type TestForge } from '../../support/forge.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('forge-modules')
let forge: TestForge

beforeAll(async () => {
  forge = await openForge()
  const publish = (slug: string, version: string, dependencies: readonly object[] = []) =>
    forge.publish({ slug, version, metadata: { summary: `The ${slug}`, dependencies }, files: { 'a.txt': version } })
  await publish('acme-lib', '1.0.0')
  await publish('acme-lib', '2.0.0')
  await publish('acme-web', '1.0.0', [{ name: 'acme/lib', version_requirement: '>= 1.0.0 < 2.0.0' }])
  await publish('acme-deep', '1.0.0', [{ name: 'acme/deep', version_requirement: '2.x' }])
})
afterAll(() => forge.close())

const run = (name: string, ...words: readonly string[]) => {
  const modules = join(folder, name)
  mkdirSync(modules, { recursive: true })
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  return runHere(['module', ...words, '--modulepath', modules, '--module_repository', forge.url, ...places])
}
const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8')

describe('plumb module', () => {
  it('installs a module with what it requires, and says so', async () => {
    const { status, out } = await run('tree', 'install', 'acme-web')
    expect([status, out]).toEqual([0, `${join(folder, 'tree')}\n└─┬ acme-web (v1.0.0)\n  └── acme-lib (v1.0.0)\n`])
    expect(read('tree', 'lib', 'a.txt')).toBe('1.0.0')
    const again = await run('tree', 'install', 'acme-web')
    expect([again.status, again.err]).toEqual([0, 'Notice: Module acme-web 1.0.0 is already installed.\n'])
  })

  it('prints an installation as data', async () => {
    const { out } = await run('data', 'install', 'acme-web', '--render-as', 'json')
    expect(JSON.parse(out)).toEqual({
      directory: join(folder, 'data'),
      modules: [
        { name: 'acme-web', version: '1.0.0', previous: null },
        { name: 'acme-lib', version: '1.0.0', previous: null },
      ],
    })
  })

  it.each([
    ['no owner', ['install', 'lib'], "did you mean 'puppetlabs-lib'?"],
    ['a path', ['install', '../../lib'], 'did you mean'],
    ['no release', ['install', 'acme-none'], 'No releases matching'],
    ['a version that is none', ['install', 'acme-lib', '--version', 'new'], "Version range 'new' is invalid"],
    [
      'a module that requires another version of itself',
      ['install', 'acme-deep'],
      "'acme-deep' requires 'acme-deep' (2.x)",
    ],
    ['an upgrade of what is not there', ['upgrade', 'acme-lib'], "Module 'acme-lib' is not installed"],
  ])('refuses %s and changes nothing', async (_, words, message) => {
    const { status, err } = await run('refused', ...words)
    expect(status).toBe(1)
    expect(err).toContain(message)
    expect(readdirSync(join(folder, 'refused'))).toEqual([])
  })

  it('keeps a module whose files were changed', async () => {
    await run('changed', 'install', 'acme-lib', '--version', '1.0.0')
    writeFileSync(
      join(folder, 'changed', 'lib', 'checksums.json'),
      JSON.stringify({ 'a.txt': 'b8a0c8b2bba2c1c8ee1e6d7e3bf6b5f1', '../../secret': 'x' }),
    )
    for (const action of ['upgrade', 'uninstall']) {
      const { status, err } = await run('changed', action, 'acme-lib')
      expect([status, err.includes('has had changes made locally: a.txt\n')]).toEqual([1, true])
    }
    expect((await run('changed', 'upgrade', 'acme-lib', '--ignore-changes')).status).toBe(0)
    expect(read('changed', 'lib', 'a.txt')).toBe('2.0.0')
  })

  it('restores a module whose replacement was killed', async () => {
    await run('killed', 'install', 'acme-lib', '--version', '1.0.0')
    renameSync(join(folder, 'killed', 'lib'), join(folder, 'killed', '.lib.replaced'))
    mkdirSync(join(folder, 'killed', '.web.new'))
    expect((await run('killed', 'install', 'acme-web')).status).toBe(0)
    expect(readdirSync(join(folder, 'killed')).sort()).toEqual(['lib', 'web'])
    expect(read('killed', 'lib', 'a.txt')).toBe('1.0.0')
  })

  it('finds modules of the Forge', async () => {
    const { status, out } = await run('found', 'search', 'web')
    expect([status, out]).toEqual([0, 'NAME      VERSION  SUMMARY\nacme-web  1.0.0    The acme-web\n'])
    expect((await run('found', 'search', 'nothing-like-that')).status).toBe(1)
    expect(JSON.parse((await run('found', 'search', 'web', '--render-as', 'json')).out)).toEqual([
      { name: 'acme-web', version: '1.0.0', summary: 'The acme-web', tags: [], deprecated: false },
    ])
  })

  it('ends with an error for a Forge that answers without end, and for other hosts', async () => {
    forge.misbehave((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('['.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
      return true
    })
    expect((await run('endless', 'install', 'acme-lib')).err).toContain('exceeds')
    forge.misbehave((_, response) => {
      response.end(JSON.stringify({ results: [], pagination: { next: 'http://other.example.com/v3/releases' } }))
      return true
    })
    expect((await run('endless', 'install', 'acme-lib')).err).toContain('not on the Forge')
    forge.misbehave()
    expect(readdirSync(join(folder, 'endless'))).toEqual([])
  })
})

describe('plumb module new', () => {
  it('creates a module that is right by all of our tools, and packs it with the same bytes each time', async () => {
    const target = join(folder, 'ntp')
    expect((await runHere(['module', 'new', 'example-ntp', '--target-dir', target])).status).toBe(0)
    expect((await runHere(['module', 'new', 'example-ntp', '--target-dir', target])).err).toContain('exists')
    expect(await runHere(['lint', '--no-config', '--fail-on-warnings', target])).toEqual({
      status: 0,
      out: '',
      err: '',
    })
    expect((await runHere(['format', '--check', target])).status).toBe(0)
    const checked = await runHere(['module', 'check', target, '--offline', '--metadata-only'])
    expect(checked).toEqual({ status: 0, out: 'metadata.json has no problems\n', err: '' })
    const built = async () => {
      const { out } = await runHere(['module', 'build', target, '--render-as', 'json'])
      return JSON.parse(out) as { readonly path: string; readonly sha256: string }
    }
    const first = await built()
    writeFileSync(join(target, '.hidden'), '')
    mkdirSync(join(target, 'spec'))
    expect(await built()).toEqual(first)
    const listed = execFileSync('tar', ['tzf', first.path], { encoding: 'utf8' }).trim().split('\n')
    expect(listed).toEqual(
      [
        'example-ntp-0.1.0/',
        ...['CHANGELOG.md', 'README.md', 'data/', 'data/common.yaml', 'hiera.yaml', 'manifests/', 'manifests/init.pp'],
        ...['manifests/init_test.pp', 'metadata.json'],
      ].map((path) => (path.startsWith('example') ? path : `example-ntp-0.1.0/${path}`)),
    )
    symlinkSync('/etc/passwd', join(target, 'manifests', 'link.pp'))
    expect((await runHere(['module', 'build', target])).err).toContain('is a symbolic link')
    expect(existsSync(first.path)).toBe(true)
  })
})

describe('plumb module check', () => {
  const check = async (metadata: object, ...words: readonly string[]) => {
    const target = join(folder, 'checked')
    mkdirSync(target, { recursive: true })
    const whole = {
      ...{ name: 'acme-x', version: '1.0.0', author: 'acme', summary: 'x', license: 'MIT', source: 'x' },
      ...{ dependencies: [], requirements: [{ name: 'puppet', version_requirement: '>= 7.0.0 < 9.0.0' }] },
      operatingsystem_support: [{ operatingsystem: 'Debian' }],
    }
    writeFileSync(join(target, 'metadata.json'), JSON.stringify({ ...whole, ...metadata }))
    const places = ['--module_repository', forge.url, '--vardir', join(folder, 'var')]
    return runHere(['module', 'check', target, ...words, ...places])
  }
  const dependency = (name: string, range?: string) => ({ dependencies: [{ name, version_requirement: range }] })

  it.each([
    ['nothing', {}, 0, 'metadata.json has no problems'],
    ['a key that is missing', { source: undefined }, 1, "Required field 'source' not found"],
    ['no upper bound', dependency('acme-lib', '>= 1.0.0'), 0, "has no upper bound: '>= 1.0.0'"],
    ['no bounds', dependency('acme-lib'), 0, 'has no bounds'],
    ['bounds that are none', dependency('acme-lib', 'new'), 1, "Invalid 'version_requirement'"],
    [
      'bounds without the newest release',
      dependency('acme-lib', '1.x'),
      0,
      "acme/lib 2.0.0 is outside of the bounds '1.x'",
    ],
    ['a module that is not on the Forge', dependency('acme-none', '1.x'), 1, 'acme/none is not on'],
    [
      'a module that is named twice',
      {
        dependencies: [
          { name: 'a/b', version_requirement: '1.x' },
          { name: 'a-b', version_requirement: '1.x' },
        ],
      },
      1,
      'Duplicate dependencies on a/b',
    ],
    ['a license that is none', { license: 'free for all' }, 0, 'is not in the SPDX list'],
    ['a long summary', { summary: 'x'.repeat(200) }, 1, 'exceeds 144 characters'],
    [
      'a system twice',
      { operatingsystem_support: [{ operatingsystem: 'A' }, { operatingsystem: 'A' }] },
      1,
      'Duplicate system A',
    ],
    ['no Puppet', { requirements: [] }, 0, "No requirement of 'puppet'"],
    [
      'lists that are none',
      { requirements: 1, operatingsystem_support: {}, tags: 'x', dependencies: 5 },
      1,
      'must be an array',
    ],
  ])('reports %s', async (_, metadata, expected, message) => {
    const { status, out } = await check(metadata)
    expect([status, out.includes(message) || out]).toEqual([expected, true])
  })

  it('asks nobody with --offline', async () => {
    const before = forge.requests.length
    expect((await check(dependency('acme-none', '1.x'), '--offline')).status).toBe(0)
    expect(forge.requests).toHaveLength(before)
  })

  it.each(['', '[]', '{"name":"x"}', '{"name":"a-b","version":"1"}', `${'['.repeat(200_000)}`])(
    'refuses metadata.json of %j',
    async (text) => {
      const target = join(folder, 'refused-metadata')
      mkdirSync(target, { recursive: true })
      writeFileSync(join(target, 'metadata.json'), text)
      const { status, err } = await runHere(['module', 'check', target, '--offline'])
      expect([status, err.includes('Could not read')]).toEqual([1, true])
    },
  )
})
