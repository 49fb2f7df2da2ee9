import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { collectFacts } from '../../../src/node/facts/collection.ts'
import { without } from '../../support/needs.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const withoutFacter = without('Facter')

type Tree = Readonly<Record<string, unknown>>

/** Values by dotted path; lists are values. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]]
  if (value instanceof Number) return [[path, Number(value)]]
  const members = Object.entries(value as Tree)
  if (members.length === 0) return [[path, {}]]
  return members.flatMap(([key, item]) => leaves(item, path === '' ? key : `${path}.${key}`))
}

/** Facts that change from one moment to the next. */
const moving =
  /^load_averages|^memory.*(?:available|used|capacity|free)|^memoryfree|^swapfree|uptime|^mountpoints.*(?:available|used|capacity)/
/** Facts of the program itself. */
const ofProgram = /^facterversion|^ruby/
/** Facts that Facter has since 4.4 to 4.6. */
const newer =
  /^processors\.extensions|^networking\.interfaces\..*\.(?:operational_state|physical|duplex|speed)$|^networking\.(?:operational_state|physical|duplex|speed)$|^dmi\.product\.version/
/** Facts for which Facter needs libraries in Ruby, or the right to read /proc/1/environ, that are not everywhere. */
const byLibrary = /^mountpoints|^partitions|^augeas|^virtual$|^is_virtual$|^system_uptime|^uptime|^hypervisors/

describe.skipIf(withoutFacter)(`core facts equal those of Facter${withoutFacter}`, () => {
  it('in names and in values', async () => {
    const own = new Map(
      leaves(
        await collectFacts(localSystem, {
          factDirectories: [],
          externalDirectories: [],
          legacy: true,
          log: expect.fail,
        }),
      ),
    )
    const { stdout } = spawnSync('facter', ['--json', '--show-legacy', '--no-custom-facts', '--no-external-facts'])
    const real = new Map(leaves(JSON.parse(String(stdout))))
    const differing = [...new Set([...own.keys(), ...real.keys()])].filter((path) => {
      if (moving.test(path)) return own.has(path) !== real.has(path) && !byLibrary.test(path)
      if (ofProgram.test(path) || (newer.test(path) && !real.has(path))) return false
      if (byLibrary.test(path) && (!real.has(path) || !own.has(path))) return false
      return JSON.stringify(own.get(path)) !== JSON.stringify(real.get(path))
    })
    expect(differing.map((path) => [path, { own: own.get(path), real: real.get(path) }])).toEqual([])
    expect(own.size).toBeGreaterThan(100)
  })
})

describe.skipIf(withoutFacter)(`plumb facts prints what facter prints${withoutFacter}`, () => {
  const folder = scratchFolder('beside-facter')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]

  beforeAll(() => {
    for (const name of ['one', 'two', 'three']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'one/same.txt'), 'same=one\nempty=\n a b =x\n')
    writeFileSync(join(folder, 'two/b.txt'), 'same=b\nmade=b\n')
    writeFileSync(join(folder, 'two/a.txt'), 'same=a\nmade=a\n')
    writeFileSync(join(folder, 'three/only.txt'), 'only=1\n')
    writeFileSync(join(folder, 'two/no.yml'), 'yml: 1\n')
    writeFileSync(join(folder, 'two/run.sh'), '#!/bin/sh\necho run=1; exit 3\n')
    chmodSync(join(folder, 'two/run.sh'), 0o755)
    const groups = 'fact-groups : { mine : ["path", "fips_enabled"] }\n'
    const facts = 'facts : { blocklist : ["os.release", "kernel", "hostname", "b.txt", "mine"] }\n'
    writeFileSync(
      join(folder, 'facter.conf'),
      `${facts}${groups}global : { external-dir : ["${join(folder, 'two')}"] }\n`,
    )
  })

  const both = (name: string) => ['--external-dir', join(folder, name)]

  it.each<[string, () => string[]]>([
    ['a fact', () => ['os.family']],
    ['a structure', () => ['os']],
    ['several', () => ['kernel', 'os.release', 'identity', 'nosuch', 'os.nosuch']],
    ['flat ones', () => ['fqdn', 'hostname', 'ipaddress', 'mtu_lo', 'processorcount']],
    ['items of lists', () => ['processors.models.0', 'networking.interfaces.lo.bindings.0.address']],
    ['a number', () => ['networking.interfaces.lo.mtu']],
    ['nothing', () => ['nosuch']],
    ['nothing, strictly', () => ['--strict', 'nosuch', 'kernel']],
    ['a fact and one that this machine has not', () => ['xen', 'kernel']],
    ['no error about what another machine has', () => ['--strict', 'xen', 'sp_uptime_no']],
    ['JSON', () => ['-j', 'os', 'identity', 'nosuch']],
    ['YAML', () => ['-y', 'os', 'identity', 'kernel', 'timezone', 'fips_enabled']],
    ['HOCON', () => ['--hocon', 'os', 'identity', 'kernel', 'fips_enabled']],
    ['the first of several folders', () => [...both('two'), ...both('one'), 'same', 'made', 'run', 'yml']],
    ['none of them where they are not wanted', () => ['--no-external-facts', 'same', 'kernel']],
    [
      'what facter.conf says',
      () => ['-c', join(folder, 'facter.conf'), 'os', 'kernel', 'path', 'same', 'made', 'fqdn'],
    ],
    ['what it blocks of flat ones', () => ['-c', join(folder, 'facter.conf'), 'hostname', 'operatingsystemrelease']],
    ['groups to block', () => ['--list-block-groups', ...both('three')]],
    ['groups to keep', () => ['--list-cache-groups', '-c', join(folder, 'facter.conf'), ...both('three')]],
  ])('%s', async (_, words) => {
    const real = spawnSync('facter', words(), { encoding: 'utf8' })
    const own = await runHere(['facts', ...words(), ...places])
    expect([own.out, own.status]).toEqual([real.stdout, real.status])
  })
})
