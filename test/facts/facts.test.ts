import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { printJson } from '../../src/base/json-text.ts'
import { collectFacts } from '../../src/facts/collect.ts'
import { externalFacts } from '../../src/facts/external.ts'
import { factsFromEnvironment } from '../../src/facts/from-environment.ts'
import type { FactLog } from '../../src/facts/log.ts'
import { localSystem } from '../../src/system/local-system.ts'
import { without } from '../support/needs.ts'
import { plumbMain } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const options = { factDirectories: [], legacy: true, log: () => {} }

const withoutFacter = without('Facter')

const variables = { FACTER_ROLE: 'web', facter_lower: 'x=y', FACTERtight: '1', FACTER_kernel: 'Mine' }

describe('facts of the environment', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are text by their lower-case names, and win over those of the machine', async () => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    const { role, lower, tight, kernel } = await collectFacts(localSystem, options)
    expect({ role, lower, tight, kernel }).toEqual({ role: 'web', lower: 'x=y', tight: '1', kernel: 'Mine' })
  })

  it.skipIf(withoutFacter)(`are those that Facter takes${withoutFacter}`, () => {
    const env = { ...process.env, ...variables }
    const own = factsFromEnvironment(variables, expect.fail)
    const { stdout } = spawnSync('facter', ['--json', ...Object.keys(own)], { env, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual(own)
  })
})

describe.skipIf(process.platform !== 'linux')('a variable that is not UTF-8', () => {
  // Node cannot start a program with such a variable; a shell can.
  function facts(command: string) {
    const variables = String.raw`FACTER_LATIN="$(printf 'caf\351 \303\251')" FACTER_GOOD=café`
    const script = `${variables} exec ${command} --json latin good`
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    return { values: JSON.parse(stdout), errors: stderr.match(/Fact resolution fact='latin'.*UTF-8/g) }
  }
  const why = `String "caf\\xE9 é" doesn't match the reported encoding UTF-8`
  const refused = {
    values: { good: 'café', latin: null },
    errors: [`Fact resolution fact='latin', resolution='<anonymous>' resolved to an invalid value: ${why}`],
  }

  it('gives no fact but an error', () => {
    expect(facts(`${process.execPath} ${plumbMain} facts`)).toEqual(refused)
  })

  it.skipIf(withoutFacter)(`as with Facter${withoutFacter}`, () => {
    expect(facts('facter')).toEqual(refused)
  })
})

/** The facts of the files of a folder. */
async function factsIn(folder: string, log: FactLog = expect.fail) {
  const found = await externalFacts(localSystem, { directories: [folder], blocked: [], log })
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

describe('external facts', () => {
  it('come from text, YAML, JSON and programs', async () => {
    const folder = scratchFolder('facts')
    writeFileSync(join(folder, 'a.txt'), 'Role=web\nempty=\n# nothing\n')
    writeFileSync(join(folder, 'b.yaml'), 'site: { name: x, racks: [1, 2] }\n')
    writeFileSync(join(folder, 'c.json'), '{"tier": 1}')
    writeFileSync(join(folder, 'd'), '#!/bin/sh\necho made=here\n')
    chmodSync(join(folder, 'd'), 0o755)
    writeFileSync(join(folder, 'e.json'), '{broken')
    writeFileSync(join(folder, 'notes'), 'no=program')
    const errors: string[] = []
    const found = await factsIn(folder, (level, message) => errors.push(`${level}: ${message}`))
    expect(found).toEqual({ role: 'web', site: { name: 'x', racks: [1, 2] }, tier: 1, made: 'here' })
    expect(errors).toEqual([expect.stringMatching(/^error: Failed to handle .*e.json as .*::JsonParser facts: /)])
  })

  it('are refused where a file or a program is not UTF-8, as by Facter', async () => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, 'a.txt'), Buffer.from('raw=a\xffb\nok=1\n', 'latin1'))
    writeFileSync(join(folder, 'b'), ['#!/bin/sh', String.raw`printf 'raw=\377\nok=1\n'`].join('\n'))
    chmodSync(join(folder, 'b'), 0o755)
    const errors: string[] = []
    expect(await factsIn(folder, (_, message) => errors.push(message))).toEqual({})
    const failed = (name: string, kind: string) =>
      `Failed to handle ${join(folder, name)} as LegacyFacter::Util::Parser::${kind}Parser facts: invalid byte sequence in UTF-8`
    expect(errors.toSorted()).toEqual([failed('a.txt', 'Text'), failed('b', 'Script')])
  })

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
    ['a.sh', 'f: :foo', { f: 'foo' }],
    ['a.sh', 'f: 2020-01-01 10:00:00', { f: '2020-01-01T10:00:00+00:00' }],
    ['a.sh', 'f: 2020-01-01T10:00:00+02:30', { f: '2020-01-01T07:30:00+00:00' }],
    ['a.sh', 'f: 2020-01-01\ne=1', { e: '1' }],
    ['a.sh', 'f: &a 1\ng: *a\ne=1', { e: '1' }],
  ])('are read as Facter reads them: %s with %s', async (name, text, facts) => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, name), name === 'a.sh' ? `#!/bin/sh\ncat <<'E'\n${text}\nE\n` : text)
    if (name === 'a.sh') chmodSync(join(folder, name), 0o755)
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

  it('keep their numbers and the order of their keys', async () => {
    const folder = scratchFolder('facts')
    const text = '{"10":1.0,"9":[1152921504606846977,0.5,1.0e+20],"a":{"2":1,"1":2}}'
    writeFileSync(join(folder, 'a.json'), `{"json": ${text}}`)
    writeFileSync(join(folder, 'b.yaml'), `yaml: ${text}\nday: 2026-11-21\n`)
    writeFileSync(join(folder, 'c'), `#!/bin/sh\necho '{"program": ${text}}'\n`)
    chmodSync(join(folder, 'c'), 0o755)
    const found = await factsIn(folder)
    expect(printJson(found)).toBe(`{"program":${text},"yaml":${text},"day":"2026-11-21","json":${text}}`)
  })
})
