import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/command/version.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const root = join(import.meta.dirname, '../..')

interface Locked {
  readonly dev?: boolean
}

describe('the npm package, installed in an empty directory', () => {
  const folder = scratchFolder('npm')
  const site = join(folder, 'site')
  const installed = join(site, 'node_modules/plumbline')

  beforeAll(async () => {
    mkdirSync(site)
    const npm = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
    await execa('npm', ['pack', ...npm, '--pack-destination', folder], { cwd: root })
    copyLibraries(join(site, 'node_modules'))
    const { overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(join(site, 'package.json'), JSON.stringify({ name: 'site', private: true, overrides }))
    await execa('npm', ['install', ...npm, join(folder, `plumbline-${version}.tgz`)], { cwd: site })
  }, 600_000)

  const plumb = (...words: string[]) =>
    execa(join(site, 'node_modules/.bin/plumb'), words, {
      cwd: site,
      extendEnv: false,
      env: { PATH: process.env['PATH'], HOME: folder },
    })

  it('contains what the program reads, and neither sources nor tests', () => {
    expect(readdirSync(installed).sort()).toEqual(
      ['LICENSE', 'README.md', 'dist', 'docs', 'environments.example', 'ext', 'hooks', 'package.json'].sort(),
    )
  })

  it('prints its version', async () => {
    expect((await plumb('--version')).stdout).toBe(version)
  })

  it('compiles a catalog, with Ruby', async () => {
    const code = "notify { inline_template('<%= 6 * 7 %>'): message => upcase('packed') }"
    const { stdout } = await plumb('catalog', 'compile', '--node', 'a.example.test', '--code', code)
    const { resources } = JSON.parse(stdout) as { resources: Record<string, unknown>[] }
    expect(resources.find(({ type }) => type === 'Notify')).toMatchObject({
      title: '42',
      parameters: { message: 'PACKED' },
    })
  })
})

/** The libraries of the checkout that the package depends on, so that npm needs neither a registry nor a cache. */
function copyLibraries(to: string): void {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> }
  const from = join(root, 'node_modules')
  // npm installs a library again if its commands are missing.
  cpSync(join(from, '.bin'), join(to, '.bin'), { recursive: true, verbatimSymlinks: true })
  for (const [place, { dev }] of Object.entries(packages)) {
    const name = place.slice('node_modules/'.length)
    if (!dev && place !== '' && !name.includes('node_modules/') && existsSync(join(root, place)))
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const [place, { dev }] of Object.entries(packages))
    if (dev) rmSync(join(to, place.slice('node_modules/'.length)), { recursive: true, force: true })
}
