import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/session/ruby-functions.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { isNight } from '../support/nightly.ts'
import { filesOf, requestOf } from './beside-puppet.ts'
import { functionProbes } from './function-probes.ts'
import { changed } from './garbage-stressing.ts'
import { templateProbes } from './template-probes.ts'

// Ruby that looks for garbage each time that it makes an object says what it says else. A live object that is taken for
// garbage then is found out at once, and not in one of a thousand catalogs.

/** Every so many templates, functions and types; of each, every so many probes. */
const [files, probes] = isNight ? [1, 5] : [200, 3]

const every = <Item>(step: number, items: readonly Item[]) => items.filter((_, index) => index % step === 0)

const lacking = without("Debian's modules")

describe.skipIf(lacking)(`Debian's modules, whose Ruby always looks for garbage${lacking}`, () => {
  const patience = { timeout: 7_200_000 }

  it('have templates that give the same text', patience, () => {
    const manifests = every(files, filesOf(debianModules, 'templates', '.erb')).flatMap(([module, path]) =>
      every(
        probes,
        templateProbes(`${module}/${path}`, readFileSync(join(debianModules, module, 'templates', path), 'utf8')),
      ),
    )
    expect(changed(requestOf(debianModules, ''), manifests)).toEqual([])
  })

  it.each([
    ['4.x', 'lib/puppet/functions', RubyFunction],
    ['3.x', 'lib/puppet/parser/functions', LegacyRubyFunction],
  ] as const)('have functions of the %s API that are worth the same', patience, (_, folder, kind) => {
    const request = requestOf(debianModules, '')
    const { host, top } = beginCompilation(request, [])
    const names = filesOf(debianModules, folder, '.rb').map(([, path]) =>
      path.slice(0, -'.rb'.length).replaceAll('/', '::'),
    )
    const found = [...new Set(names)]
      .filter((name) => !byChance.has(name))
      .map((name) => [name, host.findFunction(name, top)] as const)
      .flatMap(([name, callable]) => (callable instanceof kind ? [[name, callable] as const] : []))
    const manifests = every(files >> 1 || 1, found).flatMap(([name, callable]) =>
      every(probes * 2, functionProbes(name, callable)),
    )
    expect(manifests.length).toBeGreaterThan(0)
    expect(changed(request, manifests)).toEqual([])
  })

  it('have types that are the same', patience, () => {
    const types = filesOf(debianModules, 'lib/puppet/type', '.rb').map(([, path]) => path.slice(0, -'.rb'.length))
    const manifests = every(files, types).map((type) => `${type} { 'a title': }`)
    expect(changed(requestOf(debianModules, ''), manifests)).toEqual([])
  })
})

/** Functions that do not say the same twice. */
const byChance = new Set(['shuffle', 'str2saltedsha512', 'time', 'date', 'pry'])
