import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForge, type TestForge } from '../../support/forge.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let forge: TestForge
let folder: string
beforeEach(async () => {
  folder = scratchFolder('offline')
  forge = await openForge()
  const common = { author: 'acme', license: 'x', source: 'x', summary: 'x' }
  const needs = [{ name: 'acme/base', version_requirement: '>= 1.0.0' }]
  await forge.publish({ slug: 'acme-base', version: '1.0.0', metadata: { ...common, dependencies: [] } })
  await forge.publish({ slug: 'acme-base', version: '1.5.0', metadata: { ...common, dependencies: [] } })
  await forge.publish({ slug: 'acme-web', version: '2.0.0', metadata: { ...common, dependencies: needs } })
})
afterEach(() => forge.close())

async function run(target: string, ...words: readonly string[]) {
  const { status, out, err } = await runHere([
    ...['module', '--modulepath', join(folder, target), '--module_repository', forge.url],
    ...['--vardir', join(folder, 'var'), '--confdir', join(folder, 'etc'), ...words],
  ])
  const modules = readdirSync(join(folder, target), { withFileTypes: true }).filter((each) => each.isDirectory())
  const versions = modules.map(({ name }) => {
    const metadata = JSON.parse(readFileSync(join(folder, target, name, 'metadata.json'), 'utf8'))
    return `${name} ${metadata.version}`
  })
  return { status, out, err, versions }
}

const listCache = () => {
  const cache = join(folder, 'var/module-cache')
  return readdirSync(cache).flatMap((name) => readdirSync(join(cache, name)).map((each) => join(cache, name, each)))
}

describe('plumb module install --offline', () => {
  it('installs earlier downloads, with their dependencies and without requests', async () => {
    await run('first', 'install', 'acme-web')
    const before = forge.requests.length
    const { status, out, versions } = await run('second', 'install', 'acme-web', '--offline')
    expect([status, versions]).toEqual([0, ['base 1.5.0', 'web 2.0.0']])
    expect(out).toContain(`Reading from ${join(folder, 'var/module-cache')}`)
    expect(forge.requests).toHaveLength(before)
  })

  it('chooses the version among the downloads, and upgrades to it', async () => {
    await run('first', 'install', 'acme-base', '--version', '1.0.0')
    expect((await run('second', 'install', 'acme-base', '--offline')).versions).toEqual(['base 1.0.0'])
    await run('third', 'install', 'acme-base')
    expect((await run('second', 'upgrade', 'acme-base', '--offline')).versions).toEqual(['base 1.5.0'])
  })

  it('fails and changes nothing if a module was never downloaded', async () => {
    await run('first', 'install', 'acme-web', '--ignore-dependencies')
    const { status, err, versions } = await run('second', 'install', 'acme-web', '--offline')
    expect([status, versions]).toEqual([1, []])
    expect(err).toContain('No release of acme-base has been downloaded to')
    expect(err).toContain('Run the command once without --offline.')
  })

  it.each([
    ['tar.gz', 'SHA-256'],
    ['json', 'No release of acme-base has been downloaded'],
  ])('rejects a damaged file: %s', async (ending, message) => {
    await run('first', 'install', 'acme-base')
    for (const path of listCache().filter((each) => each.endsWith(ending))) writeFileSync(path, 'damaged')
    const { status, err, versions } = await run('second', 'install', 'acme-base', '--offline')
    expect([status, versions]).toEqual([1, []])
    expect(err).toContain(message)
  })

  it('uses the downloads of the same Forge alone', async () => {
    await run('first', 'install', 'acme-base')
    const other = ['--module_repository', 'https://other.example.com']
    expect((await run('second', 'install', 'acme-base', '--offline', ...other)).status).toBe(1)
  })
})
