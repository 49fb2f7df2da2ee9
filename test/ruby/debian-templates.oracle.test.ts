import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { isNight } from '../support/nightly.ts'
import { differences, filesOf } from './beside-puppet.ts'
import { templateProbes } from './template-probes.ts'

/** Each night all of them, else a sample. */
const step = isNight ? 1 : 25

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`ERB templates of Debian's modules, beside real Puppet${lacking}`, () => {
  it('give the same text, or the same error, whatever their variables hold', () => {
    const templates = filesOf(debianModules, 'templates', '.erb')
    const probes = templates
      .filter((_, index) => index % step === 0)
      .flatMap(([module, path]) =>
        templateProbes(`${module}/${path}`, readFileSync(join(debianModules, module, 'templates', path), 'utf8')),
      )
    expect(differences(probes, debianModules)).toEqual([])
    expect(templates.length).toBeGreaterThan(300)
  }, 900_000)
})
