import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { collectFacts } from '../../../src/node/facts/collection.ts'
import { readEnvironmentFacts } from '../../../src/node/facts/environment-facts.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { factsIn } from './external-facts.ts'
import { factsWithLatin, latinRefused } from './latin-variable.ts'

const options = { factDirectories: [], legacy: true, log: () => {} }

const facter = recordedAnswers(import.meta.filename, 'Facter 4.3')

const variables = { FACTER_ROLE: 'web', facter_lower: 'x=y', FACTERtight: '1', FACTER_kernel: 'Mine' }

describe('facts of the environment', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are text by their lower-case names, and win over those of the machine', async () => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    const { role, lower, tight, kernel } = await collectFacts(localSystem, options)
    expect({ role, lower, tight, kernel }).toEqual({ role: 'web', lower: 'x=y', tight: '1', kernel: 'Mine' })
  })

  it('are those that Facter takes', () => {
    const env = { ...process.env, ...variables }
    const own = readEnvironmentFacts(variables, expect.fail)
    const words = ['--json', ...Object.keys(own)]
    const real = facter.one('the environment', [words, variables], () => {
      const { stdout } = spawnSync('facter', words, { env, encoding: 'utf8' })
      return JSON.parse(stdout) as unknown
    })
    expect(real).toEqual(own)
  })

  // The other half is in facts.e2e.test.ts.
  it('are none for Facter where they are not UTF-8', () => {
    const real = facter.one('a variable that is not UTF-8', latinRefused, () => factsWithLatin('facter'))
    expect(real).toEqual(latinRefused)
  })
})

describe('external facts', () => {
  /** By Facter 4.3. */
  it.each([
    ['a.yaml', 'f: yes', { f: true }],
    ['a.yaml', 'f: 0644', { f: 420 }],
    ['a.yaml', 'f: 1:30', { f: 5400 }],
    ['a.yaml', 'f: ~', { f: null }],
    ['a.yaml', 'f: 2020-1-2', { f: '2020-01-02' }],
    ['a.yaml', 'f: 2020-02-31', { f: '2020-02-31' }],
    ['a.yaml', 'f: 2020-01-01 10:00:00', { f: '2020-01-01 10:00:00' }],
    ['a.yaml', 'f: [yes, 2020-01-01]', { f: [true, '2020-01-01'] }],
    [
      'a.yaml',
      'm: &m {a: 1, yes: d, ~: e}\nf: {<<: *m, z: 1}',
      { m: { a: 1, true: 'd', '': 'e' }, f: { a: 1, true: 'd', '': 'e', z: 1 } },
    ],
    ['a.yaml', 'F_Case: x', { f_case: 'x' }],
    ['a.json', '{"J_Up": 2}', { j_up: 2 }],
  ])('are read as Facter reads them: %s with %s', async (name, text, facts) => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, name), text)
    expect(await factsIn(folder)).toEqual(facts)
  })

  it.each([
    ['f: :foo', 'Tried to load unspecified class: Symbol'],
    ['a: b: c', 'mapping values are not allowed in this context at line 1 column 5'],
    ['- a', 'Structured data fact file must be a hash'],
  ])('are none where the file says %s', async (text, why) => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, 'a.yaml'), text)
    const errors: string[] = []
    expect(await factsIn(folder, (_, message) => errors.push(message))).toEqual({})
    expect(errors).toEqual([expect.stringContaining(why)])
  })
})
