import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileTexts } from '../../support/file-texts.ts'
import { openForge, type TestForge } from '../../support/forge.ts'
import { withoutPuppet } from '../../support/real-puppet.ts'
import { plumbHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const needs = (name: string, range: string) => ({ name, version_requirement: range })

/** Releases of a Forge: version and dependencies by slug. */
const published: readonly (readonly [slug: string, version: string, dependencies?: readonly object[]])[] = [
  ['acme-lib', '1.0.0'],
  ['acme-lib', '1.2.0'],
  ['acme-lib', '2.0.0'],
  ['acme-lib', '2.1.0-rc1'],
  ['acme-web', '1.0.0', [needs('acme/lib', '>= 1.0.0 < 2.0.0')]],
  ['acme-web', '1.1.0', [needs('acme/lib', '>= 1.2.0 < 2.0.0')]],
  ['acme-web', '2.0.0', [needs('acme-lib', '>= 2.0.0 < 3.0.0'), needs('acme-log', '1.x')]],
  ['acme-log', '1.0.0', [needs('acme-lib', '>= 1.0.0')]],
  ['acme-log', '1.5.0', [needs('acme-lib', '< 2.0.0')]],
  ['acme-shop', '1.0.0', [needs('acme-web', '1.x'), needs('acme-lib', '2.x')]],
  ['acme-loop', '1.0.0', [needs('acme-pool', '1.x')]],
  ['acme-pool', '1.0.0', [needs('acme-loop', '1.x')]],
  ['acme-lost', '1.0.0', [needs('acme-gone', '1.x')]],
  ['other-lib', '3.0.0'],
]

/** Command lines, one after another in the same directory of modules. */
const cases: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'the newest release and what it requires': [['install', 'acme-web']],
  'a slash in the name': [['install', 'acme/web', '--version', '1.0.0']],
  'a range': [['install', 'acme-lib', '--version', '1.x']],
  'a pre-release by its version': [['install', 'acme-lib', '--version', '2.1.0-rc1']],
  'no pre-release otherwise': [['install', 'acme-lib']],
  'a module that is there': [
    ['install', 'acme-lib'],
    ['install', 'acme-lib'],
  ],
  'another version of a module that is there': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['install', 'acme-lib', '--version', '2.0.0'],
  ],
  'an installed module that fits is kept': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['install', 'acme-web', '--version', '1.0.0'],
  ],
  'an installed module is upgraded within its major version': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['install', 'acme-web', '--version', '1.1.0'],
  ],
  'an installed module of another major version leads to an older release': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['install', 'acme-web'],
  ],
  'no version can fit': [['install', 'acme-shop']],
  'modules that require each other': [['install', 'acme-loop']],
  'a requirement that nobody published': [['install', 'acme-lost']],
  alone: [['install', 'acme-lost', '--ignore-dependencies']],
  'a version that nobody published': [['install', 'acme-lib', '--version', '9.0.0']],
  'a module that nobody published': [['install', 'acme-none']],
  'a name without owner': [['install', 'lib']],
  'another module of the name': [
    ['install', 'acme-lib'],
    ['install', 'other-lib'],
  ],
  'by force': [
    ['install', 'acme-lib'],
    ['install', 'other-lib', '--force'],
  ],
  'an upgrade': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['upgrade', 'acme-lib'],
  ],
  'an upgrade to a version': [
    ['install', 'acme-lib', '--version', '1.0.0'],
    ['upgrade', 'acme-lib', '--version', '1.2.0'],
  ],
  'an upgrade that another module does not accept': [
    ['install', 'acme-web', '--version', '1.1.0'],
    ['upgrade', 'acme-lib'],
  ],
  'an upgrade of a module that is not there': [['upgrade', 'acme-lib']],
  'an upgrade with what it requires': [
    ['install', 'acme-web', '--version', '1.0.0'],
    ['upgrade', 'acme-web', '--version', '1.1.0'],
  ],
  uninstall: [
    ['install', 'acme-lib'],
    ['uninstall', 'acme-lib'],
  ],
  'uninstall of a required module': [
    ['install', 'acme-web'],
    ['uninstall', 'acme-lib'],
  ],
  'uninstall by force': [
    ['install', 'acme-web'],
    ['uninstall', 'acme-lib', '--force'],
  ],
  'uninstall of another version': [
    ['install', 'acme-lib'],
    ['uninstall', 'acme-lib', '--version', '1.x'],
  ],
  'uninstall of a module that is not there': [['uninstall', 'acme-lib']],
}

describe.skipIf(withoutPuppet !== '')(`plumb module beside puppet module${withoutPuppet}`, () => {
  let forge: TestForge
  const folder = scratchFolder('puppet-module')

  beforeAll(async () => {
    forge = await openForge()
    for (const [slug, version, dependencies = []] of published) {
      const metadata = { author: 'acme', license: 'Apache-2.0', summary: '', source: '', dependencies }
      await forge.publish({ slug, version, metadata, files: { 'manifests/init.pp': `# ${version}\n` } })
    }
  })
  afterAll(() => forge.close())

  /** The exit statuses, and the files of the directory of modules after each command. */
  const runAll = async (
    own: string,
    words: readonly (readonly string[])[],
    run: (words: readonly string[]) => Promise<number>,
  ) => {
    const modules = join(folder, own, 'modules')
    mkdirSync(modules, { recursive: true })
    const states: unknown[] = []
    for (const each of words) {
      const places = ['--confdir', join(folder, own, 'etc'), '--vardir', join(folder, own, 'var')]
      const status = await run([...each, '--modulepath', modules, '--module_repository', forge.url, ...places])
      states.push([status, fileTexts(modules)])
    }
    return states
  }

  it.each(Object.entries(cases))('%s', async (title, words) => {
    const name = title.replaceAll(/\W+/g, '-')
    const real = await runAll(`real-${name}`, words, async (each) => {
      const { exitCode } = await execa('puppet', ['module', ...each], { reject: false })
      return exitCode ?? -1
    })
    const ours = await runAll(`ours-${name}`, words, async (each) => (await plumbHere(['module', ...each])).exitCode)
    expect(ours).toEqual(real)
  })
})
