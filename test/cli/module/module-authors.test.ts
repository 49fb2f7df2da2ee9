import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { listArchive } from '../../../src/machine/archive/archive.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

async function createModule(): Promise<string> {
  const root = join(scratchFolder('module'), 'web')
  const { status, err } = await runHere(['module', 'new', 'acme-web', '--target-dir', root])
  expect([status, err]).toEqual([0, ''])
  return root
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

async function listPackage(root: string) {
  const bytes = readFileSync(join(root, 'pkg/acme-web-0.1.0.tar.gz'))
  const files = await listArchive(() => Readable.from([bytes]), 'forge', { packed: bytes.length, bytes: 1 << 24 })
  return { paths: files.map(({ path }) => path.replace('acme-web-0.1.0/', '')), digest: hash('sha256', bytes, 'hex') }
}

describe('plumb module new', () => {
  it('creates a module that passes the other commands', async () => {
    const root = await createModule()
    for (const words of [
      ['lint', root],
      ['format', '--check', root],
      ['parser', 'validate', join(root, 'manifests/init.pp')],
      ['module', 'check', root, '--offline', '--metadata-only'],
      ['module', 'build', root],
    ]) {
      const { status, out, err } = await runHere(words)
      expect({ words: words[0], status, problems: status === 0 ? '' : out + err }).toMatchObject({
        status: 0,
        problems: '',
      })
    }
  })

  it('refuses directories that exist, and names without an owner', async () => {
    const root = await createModule()
    const before = readFileSync(join(root, 'metadata.json'), 'utf8')
    expect(await runHere(['module', 'new', 'acme-web', '--target-dir', root])).toMatchObject({ status: 1 })
    expect(readFileSync(join(root, 'metadata.json'), 'utf8')).toBe(before)
    for (const name of ['web', 'acme-../x', 'acme-Web', '-web', 'acme-web/x']) {
      const place = join(scratchFolder('bad'), 'x')
      expect((await runHere(['module', 'new', '--target-dir', place, '--', name])).status, name).toBe(1)
      expect(existsSync(place)).toBe(false)
    }
  })
})

describe('plumb module build', () => {
  it('excludes ignored files, and writes the same bytes for the same files', async () => {
    const root = await createModule()
    write(root, {
      '.pdkignore': '# comment\n/notes/\n*.log\n!keep.log\n/files/*/tmp\ndoc/**/draft\n',
      ...{
        'notes/a': '',
        'a.log': '',
        'files/keep.log': '',
        'files/x/tmp/a': '',
        'doc/a/b/draft/c': '',
        'doc/a/final': '',
      },
      ...{ 'pkg/old.tar.gz': '', 'spec/fixtures/modules/x/y': '', 'spec/classes/a_spec.rb': 'x', 'vendor/a': '' },
    })
    expect((await runHere(['module', 'build', root])).status).toBe(0)
    const first = await listPackage(root)
    expect(first.paths).toEqual([
      ...['CHANGELOG.md', 'README.md', 'data/common.yaml', 'doc/a/final', 'files/keep.log', 'hiera.yaml'],
      ...['manifests/init.pp', 'manifests/init_test.pp', 'metadata.json', 'spec/classes/a_spec.rb'],
    ])
    utimesSync(join(root, 'README.md'), 1, 1)
    expect((await runHere(['module', 'build', root])).status).toBe(0)
    expect((await listPackage(root)).digest).toBe(first.digest)
  })

  it('builds a package that can be installed', async () => {
    const root = await createModule()
    await runHere(['module', 'build', root])
    const modules = join(scratchFolder('installed'), 'modules')
    const file = join(root, 'pkg/acme-web-0.1.0.tar.gz')
    const words = ['module', 'install', file, '--ignore-dependencies', '--modulepath', modules, '--render-as', 'json']
    const { status, out } = await runHere(words)
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ kind: 'installed', tree: { name: 'acme-web', version: '0.1.0' } })
    expect(readFileSync(join(modules, 'web/manifests/init.pp'))).toEqual(readFileSync(join(root, 'manifests/init.pp')))
  })

  it.each([
    [
      'a symlink',
      (root: string) => symlinkSync('/etc/passwd', join(root, 'files')),
      'Symlinks in modules are not allowed: files',
    ],
    ['a long path', (root: string) => write(root, { [`${'d/'.repeat(60)}${'n'.repeat(101)}`]: '' }), 'it is too long'],
    ['a path with umlauts', (root: string) => write(root, { 'files/ä': '' }), 'characters other than ASCII'],
    ['broken metadata', (root: string) => write(root, { 'metadata.json': '{' }), 'metadata.json is not valid'],
    [
      'a version that is none',
      (root: string) => write(root, { 'metadata.json': '{"name":"a-b","version":"../1"}' }),
      'is not a version',
    ],
  ])('refuses %s', async (_, change, message) => {
    const root = await createModule()
    change(root)
    const { status, err } = await runHere(['module', 'build', root])
    expect(status).toBe(1)
    expect(err).toContain(message)
    expect(existsSync(join(root, 'pkg/acme-web-0.1.0.tar.gz'))).toBe(false)
  })
})

describe('plumb module check', () => {
  const good = {
    ...{ name: 'acme-web', version: '0.1.0', author: 'acme', license: 'Apache-2.0', summary: 'x', source: 'x' },
    dependencies: [],
    requirements: [{ name: 'puppet', version_requirement: '>= 7.0.0 < 9.0.0' }],
  }
  it.each([
    ['a missing field', { summary: undefined }, "Required field 'summary' not found in metadata.json"],
    ['an old field', { checksums: {} }, "Deprecated field 'checksums' found in metadata.json"],
    ['an unknown license', { license: 'Apache 2' }, 'License identifier "Apache 2" is not an SPDX identifier'],
    ['a long summary', { summary: 'x'.repeat(145) }, "Field 'summary' exceeds 144 characters in metadata.json"],
    [
      'an open range',
      { dependencies: [{ name: 'a/b', version_requirement: '>= 1.0.0' }] },
      'has an open ended dependency',
    ],
    ['no range', { dependencies: [{ name: 'a/b' }] }, 'Dependency a/b has no version requirement'],
    [
      'a bad range',
      { dependencies: [{ name: 'a/b', version_requirement: 'new' }] },
      "Invalid 'version_requirement' field",
    ],
    [
      'duplicates',
      { dependencies: ['a/b', 'a-b'].map((name) => ({ name, version_requirement: '1.x' })) },
      'Duplicate dependencies on a-b',
    ],
    ['no requirement', { requirements: [] }, "The 'puppet' requirement is missing"],
    [
      'no upper bound',
      { requirements: [{ name: 'puppet', version_requirement: '>= 7.0.0' }] },
      'missing an upper bound',
    ],
    [
      'a system twice',
      { operatingsystem_support: [{ operatingsystem: 'Debian' }, { operatingsystem: 'Debian' }] },
      'Debian occurs twice',
    ],
    [
      'a release that is no text',
      { operatingsystem_support: [{ operatingsystem: 'Debian', operatingsystemrelease: [12] }] },
      'must be an array of strings',
    ],
  ])('reports %s', async (_, change, message) => {
    const root = scratchFolder('checked')
    write(root, { 'metadata.json': JSON.stringify({ ...good, ...change }) })
    const { status, out } = await runHere(['module', 'check', root, '--offline', '--render-as', 'json'])
    expect(status).toBe(1)
    const { problems } = JSON.parse(out) as { problems: { message: string }[] }
    expect(problems).toHaveLength(1)
    expect(problems[0]!.message).toContain(message)
  })
})
