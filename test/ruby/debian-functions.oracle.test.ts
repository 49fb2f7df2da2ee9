import { describe, expect, it } from 'vitest'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/session/ruby-functions.ts'
import { without } from '../support/needs.ts'
import { isNight } from '../support/nightly.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { differences, filesOf, requestOf } from './beside-puppet.ts'
import { copyRuby, left } from './debian-ruby.ts'
import { functionProbes } from './function-probes.ts'

/** Each night all of them, else a sample. */
const step = isNight ? 1 : 30

const modules = scratchFolder('modules')

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`Ruby functions of Debian's modules, beside real Puppet${lacking}`, () => {
  it('are worth the same, or fail in the same words, whatever they are called with', () => {
    copyRuby(modules)
    const files = ['lib/puppet/functions', 'lib/puppet/parser/functions'].flatMap((each) =>
      filesOf(modules, each, '.rb'),
    )
    const names = [...new Set(files.map(([, path]) => path.slice(0, -'.rb'.length).replaceAll('/', '::')))]
    const { host, top } = beginCompilation(requestOf(modules, ''), [])
    const probes = names
      .filter((name, index) => index % step === 0 && !(name in left))
      .map((name) => [name, host.findFunction(name, top)!] as const)
      .filter(([, found]) => found instanceof RubyFunction || found instanceof LegacyRubyFunction)
      .flatMap(([name, found]) => functionProbes(name, found))
    expect(differences(probes, modules)).toEqual([])
    expect(names.length).toBeGreaterThan(200)
  }, 900_000)
})
