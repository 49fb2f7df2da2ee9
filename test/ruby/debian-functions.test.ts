import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { begin } from '../../src/compiler/begin.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/functions.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { differences, filesOf, requestOf } from './beside-puppet.ts'
import { functionProbes } from './function-probes.ts'

/** Each night all of them, else a sample. */
const step = process.env.CI_NIGHTLY === '1' ? 1 : 30

/** Why a function cannot say the same twice, or in real Puppet and here. */
const left: Readonly<Record<string, string>> = {
  shuffle: 'by chance',
  str2saltedsha512: 'by chance',
  time: 'the clock',
  date: 'the clock',
  pry: 'a debugger',
  validate_cmd: 'runs a program',
  validate_augeas: 'runs a program',
  go_md5: 'needs Ruby of the module that only agents load in real Puppet',
  cert_date_valid: 'runs a program',
  augeas: 'needs a library of C',
  parsehocon: 'needs a gem',
  parsepson: 'Puppet 8 has no PSON, which is no JSON where a document is a word',
  template_body: 'fails inside of Puppet, at another method',
  redisget: 'asks another host',
  'redis::redisget': 'asks another host',
  'archive::artifactory_checksum': 'asks another host',
  'archive::artifactory_latest_url': 'asks another host',
}

const modules = mkdtempSync(join(tmpdir(), 'plumb-modules-'))
afterAll(() => rmSync(modules, { recursive: true }))

/** The Ruby of the modules in files that differ from those which we answer without it. */
function copyRuby(): void {
  for (const module of readdirSync(debianModules).filter((name) => /^[a-z]\w*$/.test(name)))
    for (const part of ['lib', 'types', 'functions', 'metadata.json']) {
      const from = join(debianModules, module, part)
      if (existsSync(from)) cpSync(from, join(modules, module, part), { recursive: true, dereference: true })
    }
  for (const folder of ['lib/puppet/functions', 'lib/puppet/parser/functions'])
    for (const [module, path] of filesOf(modules, folder, '.rb')) {
      const file = join(modules, module, folder, path)
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n# as Ruby\n`)
    }
}

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`Ruby functions of Debian's modules, beside real Puppet${lacking}`, () => {
  it('are worth the same, or fail in the same words, whatever they are called with', () => {
    copyRuby()
    const files = ['lib/puppet/functions', 'lib/puppet/parser/functions'].flatMap((each) =>
      filesOf(modules, each, '.rb'),
    )
    const names = [...new Set(files.map(([, path]) => path.slice(0, -'.rb'.length).replaceAll('/', '::')))]
    const { host, top } = begin(requestOf(modules, ''), [])
    const probes = names
      .filter((name, index) => index % step === 0 && !(name in left))
      .map((name) => [name, host.findFunction(name, top)!] as const)
      .filter(([, found]) => found instanceof RubyFunction || found instanceof LegacyRubyFunction)
      .flatMap(([name, found]) => functionProbes(name, found))
    expect(differences(probes, modules)).toEqual([])
    expect(names.length).toBeGreaterThan(200)
  }, 900_000)
})
