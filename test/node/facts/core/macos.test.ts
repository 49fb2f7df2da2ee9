import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectAllFacts } from '../../../../src/node/facts/collection.ts'
import { recordedMachine } from '../../../support/recorded-machine.ts'

interface Recorded {
  /** What the programs of a machine print. */
  readonly outputs: Readonly<Record<string, string>>
  /** What Facter 4.11 makes of it, without what is of the program or of another machine. */
  readonly facts: Readonly<Record<string, unknown>>
}

const { outputs, facts }: Recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'macos.json'), 'utf8'))

it('finds the facts of macOS by what its programs print', async () => {
  const space = async (path: string) => (path === '/' ? { size: 1000, available: 600, used: 300 } : undefined)
  const host = { kernel: 'Darwin', kernelRelease: '23.4.0', hardware: 'arm64', space }
  const machine = { ...recordedMachine({ outputs, host }), now: () => 1_711_900_000_000 + 90_000_000 }
  const options = { factDirectories: [], externalDirectories: [], legacy: true, log: expect.fail }
  const { values } = await collectAllFacts(machine, options)
  const found = JSON.parse(JSON.stringify(values))
  expect(Object.fromEntries(Object.keys(facts).map((name) => [name, found[name]]))).toEqual(facts)
  const others = Object.keys(found).filter((name) => !(name in facts))
  expect(others.filter((name) => !/^ruby|uptime/.test(name)).sort()).toEqual(['facterversion', 'mountpoints', 'path'])
  expect(found.system_uptime).toEqual({ days: 1, hours: 25, seconds: 90_000, uptime: '1 day' })
  expect(found.mountpoints['/']).toMatchObject({
    device: '/dev/disk3s1s1',
    filesystem: 'apfs',
    options: ['sealed', 'local', 'readonly', 'journaled'],
    capacity: '40.00%',
  })
})
