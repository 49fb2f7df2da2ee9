import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const script = join(import.meta.dirname, '../../scripts/conformance-site.js')

const environment = {
  'environment.conf': 'modulepath = modules\n',
  'manifests/site.pp': "node 'a.example.test' { include m }\nnode 'b.example.test' { include none }\n",
  'modules/m/manifests/init.pp': "class m { notify { $facts['os']['family']: } }\n",
}

describe.skipIf(!hasPuppet)(`npm run conformance:site${withoutPuppet}`, () => {
  const folder = scratchFolder('conformance-site')
  const home = join(folder, 'home')
  const temporary = join(folder, 'tmp')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    return join(folder, path)
  }
  const nodes = write('nodes.txt', 'a.example.test\nb.example.test\n')
  const about = ['--facts-dir', join(folder, 'facts'), '--nodes', nodes]
  for (const name of ['a', 'b']) write(`facts/${name}.example.test.json`, '{"os": {"family": "Debian"}}')
  // A name that somebody else took in the folder that all users share.
  write('tmp/plumb-conformance', '')
  mkdirSync(home)

  const compare = (...words: string[]) =>
    execa(process.execPath, [script, ...words, ...about], {
      env: { HOME: home, TMPDIR: temporary, XDG_CACHE_HOME: undefined },
      reject: false,
      all: true,
    })

  it('compares a folder in an empty home, beside other users, and keeps what it was told to its owner', async () => {
    for (const [path, text] of Object.entries(environment)) write(`production/${path}`, text)
    const { all, exitCode } = await compare('--environment', join(folder, 'production'))
    expect(all).toContain('asking real Puppet for 2 catalogs')
    expect(all).toContain('real Puppet compiles 1: 1 catalogs equal (100.0%)')
    expect(all).toContain('real Puppet refuses 1: 1 error texts equal (100.0%)')
    expect(exitCode).toBe(0)
    expect(statSync(join(home, '.cache/plumb-conformance')).mode & 0o777).toBe(0o700)
  })

  it('compares a branch', async () => {
    const repository = controlRepository(environment)
    const { all, exitCode } = await compare('--repo', repository.bare, '--ref', 'production', '--verbose')
    expect(exitCode, all).toBe(0)
  })
})
