import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitIdentity } from '../../support/control-repository.ts'
import { openForge, type TestForge } from '../../support/forge.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { runPlumbTest } from '../../workbench/spec/sample-suite.ts'

let forge: TestForge
const remote = scratchFolder('fixture-remote')
const vardir = scratchFolder('fixture-var')
const git = (...words: string[]) => execaSync('git', ['-C', remote, ...words], { env: gitIdentity }).stdout

beforeAll(async () => {
  forge = await openForge()
  await forge.publish({
    slug: 'acme-base',
    version: '1.2.0',
    files: { 'manifests/init.pp': { content: 'class base {}\n' } },
  })
  git('init', '--quiet', '--initial-branch=main')
  write(remote, 'mods/util/manifests/init.pp', 'class util { include base }\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
})
afterAll(() => forge.close())

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function makeModule(fixtures: string): string {
  const folder = realpathSync(scratchFolder('with-fixtures'))
  write(folder, 'metadata.json', '{"name": "me-own"}')
  write(folder, '.fixtures.yml', fixtures)
  write(folder, 'manifests/init.pp', 'class own { include util }\n')
  write(folder, 'manifests/init_test.pp', "test('x', { on => none }) || { include own }\n")
  return folder
}

const both = () =>
  `fixtures:\n  repositories:\n    util: { repo: "${remote}", subdir: mods/util }\n  forge_modules:\n    base: acme/base\n`

const words = (cache = vardir) => [
  ...['--vardir', cache, '--confdir', join(cache, 'etc'), '--module_repository', forge.url],
  ...['--puppetfile_sources', `${dirname(remote)},127.0.0.1`],
]

describe('fixtures of plumb test', () => {
  it('are fetched once, locked, and used offline', async () => {
    const folder = makeModule(both())
    const first = await runPlumbTest(folder, words())
    expect(first).toMatchObject({ exitCode: 0 })
    expect(first.stderr).toContain('(2/2)')
    const lock = readFileSync(join(folder, '.fixtures.lock'), 'utf8')
    const { modules } = JSON.parse(lock)
    expect(modules).toMatchObject([
      { name: 'base', resolved: '1.2.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { name: 'util', resolved: git('rev-parse', 'HEAD') },
    ])
    rmSync(join(folder, 'spec'), { recursive: true })
    write(remote, 'mods/util/manifests/init.pp', "class util { fail('newer') }\n")
    git('commit', '--quiet', '-am', 'two')
    const again = await runPlumbTest(folder, [...words(), '--offline'])
    expect(again).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(join(folder, '.fixtures.lock'), 'utf8')).toBe(lock)
    const updated = await runPlumbTest(folder, [...words(), '--update-fixtures'])
    expect(updated.exitCode).toBe(1)
    expect(updated.stdout).toContain('newer')
  })

  it('are not changed by a mismatch, a missing cache, or a source that is not allowed', async () => {
    const folder = makeModule(both())
    const cache = scratchFolder('empty-var')
    const offline = await runPlumbTest(folder, [...words(cache), '--offline'])
    expect(offline.stderr).toContain('Fixtures are not in the cache: util, base')
    expect((await runPlumbTest(folder, [...words(cache), '--puppetfile_sources', 'https://x.example'])).exitCode).toBe(
      1,
    )
    expect(existsSync(join(folder, '.fixtures.lock'))).toBe(false)
    expect(existsSync(join(folder, 'spec'))).toBe(false)
    await runPlumbTest(folder, words(cache))
    const lock = readFileSync(join(folder, '.fixtures.lock'), 'utf8').replace(
      /"tree": "\w{40}"/,
      `"tree": "${'0'.repeat(40)}"`,
    )
    writeFileSync(join(folder, '.fixtures.lock'), lock)
    const { exitCode, stderr } = await runPlumbTest(folder, words(cache))
    expect(stderr).toContain('instead of 0000000000000000000000000000000000000000 in .fixtures.lock')
    expect(exitCode).toBe(1)
    expect(readFileSync(join(folder, '.fixtures.lock'), 'utf8')).toBe(lock)
  })

  it('from the Forge contain no links of the archive', async () => {
    const link = { type: 'symlink' as const, linkname: '../../../../etc' }
    const files = { link, 'manifests/init.pp': { content: 'class util {}\n' } }
    await forge.publish({ slug: 'acme-hostile', version: '1.0.0', files })
    const folder = makeModule('fixtures:\n  forge_modules:\n    util: acme/hostile\n')
    expect(await runPlumbTest(folder, words(scratchFolder('hostile-var')))).toMatchObject({ exitCode: 0 })
    const module = join(folder, 'spec/fixtures/modules/util')
    expect(readdirSync(module).sort()).toEqual(['manifests', 'metadata.json'])
  })

  it('of a repository with a link out of the module are refused', async () => {
    symlinkSync('../../../../etc', join(remote, 'mods/link'))
    git('add', '.')
    git('commit', '--quiet', '-m', 'link')
    const commit = git('rev-parse', 'HEAD')
    git('rm', '--quiet', 'mods/link')
    git('commit', '--quiet', '-m', 'without link')
    const repository = `{ repo: "${remote}", ref: ${commit}, subdir: mods }`
    const folder = makeModule(`fixtures:\n  repositories:\n    hostile: ${repository}\n`)
    const cache = scratchFolder('hostile-var')
    const { exitCode, stderr } = await runPlumbTest(folder, words(cache))
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the symbolic link points outside the module')])
    expect(readdirSync(folder).sort()).toEqual(['.fixtures.yml', 'manifests', 'metadata.json'])
    expect(readdirSync(join(cache, 'test/trees'))).toEqual([])
  })

  it('that others have put in place stay as they are', async () => {
    const folder = makeModule(both())
    for (const name of ['base', 'util'])
      write(folder, `spec/fixtures/modules/${name}/manifests/init.pp`, `class ${name} {}`)
    expect(await runPlumbTest(folder, words())).toMatchObject({ exitCode: 0, stderr: '' })
    expect(existsSync(join(folder, '.fixtures.lock'))).toBe(false)
  })

  it('are complete or absent after kill -9 during the fetch', async () => {
    const folder = makeModule(both())
    const cache = scratchFolder('killed-var')
    forge.misbehave(() => true)
    const child = spawn(process.execPath, [plumbMain, 'test', ...words(cache)], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await once(child.stderr, 'data') // the first fixture is fetched, the Forge does not answer
    child.kill('SIGKILL')
    await once(child, 'exit')
    forge.misbehave()
    expect(existsSync(join(folder, 'spec'))).toBe(false)
    expect(readdirSync(join(cache, 'test/trees')).filter((name) => !name.startsWith('.'))).toHaveLength(1)
    const retried = await runPlumbTest(folder, words(cache))
    expect(readFileSync(join(folder, '.fixtures.lock'), 'utf8')).toContain('1.2.0')
    expect(retried.stdout).toContain('1 example')
  })
})
