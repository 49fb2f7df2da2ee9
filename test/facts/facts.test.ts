import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
    const folder = mkdtempSync(join(tmpdir(), 'plumb-facts-'))
    writeFileSync(join(folder, 'a.txt'), 'Role=web\nempty=\n# nothing\n')
    writeFileSync(join(folder, 'b.yaml'), 'site: { name: x, racks: [1, 2] }\n')
    writeFileSync(join(folder, 'c.json'), '{"tier": 1}')
    writeFileSync(join(folder, 'd'), '#!/bin/sh\necho made=here\n')
    chmodSync(join(folder, 'd'), 0o755)
    writeFileSync(join(folder, 'e.json'), '{broken')
    writeFileSync(join(folder, 'notes'), 'no=program')
    const warnings: string[] = []
    const found = await externalFacts(localSystem, [folder], (message) => warnings.push(message))
    rmSync(folder, { recursive: true })
    expect(found).toEqual({ role: 'web', empty: '', site: { name: 'x', racks: [1, 2] }, tier: 1, made: 'here' })
    expect(warnings).toEqual([expect.stringContaining('e.json')])
  })

  it('keep their numbers and the order of their keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-facts-'))
    const text = '{"10":1.0,"9":[1152921504606846977,0.5,1.0e+20],"a":{"2":1,"1":2}}'
    writeFileSync(join(folder, 'a.json'), `{"json": ${text}}`)
    writeFileSync(join(folder, 'b.yaml'), `yaml: ${text}\nday: 2026-11-21\n`)
    writeFileSync(join(folder, 'c'), `#!/bin/sh\necho '{"program": ${text}}'\n`)
    chmodSync(join(folder, 'c'), 0o755)
    const found = await externalFacts(localSystem, [folder], expect.fail)
    rmSync(folder, { recursive: true })
    expect(printJson(found)).toBe(`{"json":${text},"yaml":${text},"day":"2026-11-21","program":${text}}`)
  })
})
