import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { printJson } from '../../src/base/json-text.ts'
import { collectFacts } from '../../src/facts/collect.ts'
import { externalFacts } from '../../src/facts/external.ts'
import type { FactValues } from '../../src/facts/fact.ts'
import { factsFromEnvironment } from '../../src/facts/from-environment.ts'
import { factAt } from '../../src/facts/legacy.ts'
import { localSystem } from '../../src/system/local-system.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const options = { factDirectories: [], legacy: true, warn: () => {} }

const withoutFacter = without('Facter')

describe.skipIf(withoutFacter)(`facts equal those of Facter${withoutFacter}`, () => {
  let own: FactValues
  let real: FactValues
  beforeAll(async () => {
    own = await collectFacts(localSystem, options)
    real = JSON.parse(spawnSync('facter', ['--json', '--show-legacy'], { encoding: 'utf8' }).stdout)
  })

  it.each([
    ...['kernel', 'kernelrelease', 'kernelversion', 'kernelmajversion', 'os', 'timezone', 'path', 'filesystems'],
    ...['identity', 'fips_enabled', 'processors.count', 'processors.models', 'processors.physicalcount'],
    ...['networking.fqdn', 'networking.hostname', 'networking.domain', 'networking.ip', 'networking.ip6'],
    ...['networking.primary', 'networking.mac', 'networking.netmask', 'networking.interfaces.lo'],
    ...['disks', 'architecture', 'osfamily', 'operatingsystem', 'operatingsystemmajrelease'],
    ...['lsbdistcodename', 'hostname', 'fqdn', 'ipaddress', 'processorcount', 'memorysize', 'interfaces'],
    ...['memory.system.total', 'memory.system.total_bytes', 'processors.isa', 'dmi', 'ssh'],
  ])('%s', (path) => {
    expect(factAt(own, path)).toEqual(factAt(real, path))
  })

  // Facter looks into /proc/1/environ; where only root may, it takes a container for a physical machine.
  const hidden = isReadable('/proc/1/environ') ? '' : ' (left out: only root may read /proc/1/environ)'
  it.skipIf(hidden)(`knows what kind of machine it is, where Facter may look${hidden}`, () => {
    const { virtual = own['virtual'], is_virtual = own['is_virtual'] } = real
    expect([own['virtual'], own['is_virtual']]).toEqual([virtual, is_virtual])
  })

  it('has the same interfaces, whose addresses are the same', () => {
    expect(factAt(own, 'networking.interfaces')).toEqual(factAt(real, 'networking.interfaces'))
  })
})

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

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
    const own = factsFromEnvironment(variables)
    const { stdout } = spawnSync('facter', ['--json', ...Object.keys(own)], { env, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual(own)
  })
})

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
    const warnings: string[] = []
    const found = await externalFacts(localSystem, [folder], (message) => warnings.push(message))
    expect(found).toEqual({ role: 'web', empty: '', site: { name: 'x', racks: [1, 2] }, tier: 1, made: 'here' })
    expect(warnings).toEqual([expect.stringContaining('e.json')])
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
    expect(await externalFacts(localSystem, [folder], expect.fail)).toEqual(facts)
  })

  it.each([
    ['f: :foo', 'Tried to load unspecified class: Symbol'],
    ['a: b: c', 'mapping values are not allowed in this context at line 1 column 5'],
    ['- a', 'Structured data fact file must be a hash'],
  ])('are none where the file says %s', async (text, why) => {
    const folder = scratchFolder('external-facts')
    writeFileSync(join(folder, 'a.yaml'), text)
    const warnings: string[] = []
    expect(await externalFacts(localSystem, [folder], (message) => warnings.push(message))).toEqual({})
    expect(warnings).toEqual([expect.stringContaining(why)])
  })

  it('keep their numbers and the order of their keys', async () => {
    const folder = scratchFolder('facts')
    const text = '{"10":1.0,"9":[1152921504606846977,0.5,1.0e+20],"a":{"2":1,"1":2}}'
    writeFileSync(join(folder, 'a.json'), `{"json": ${text}}`)
    writeFileSync(join(folder, 'b.yaml'), `yaml: ${text}\nday: 2026-11-21\n`)
    writeFileSync(join(folder, 'c'), `#!/bin/sh\necho '{"program": ${text}}'\n`)
    chmodSync(join(folder, 'c'), 0o755)
    const found = await externalFacts(localSystem, [folder], expect.fail)
    expect(printJson(found)).toBe(`{"json":${text},"yaml":${text},"day":"2026-11-21","program":${text}}`)
  })
})
