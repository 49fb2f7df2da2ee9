import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { WindowsData } from '../../../../../src/node/facts/machine.ts'
import { windowsFacts } from './windows-machine.ts'

interface Recorded {
  readonly name: string
  readonly kernelRelease: string
  readonly path: string
  readonly systemRoot: string
  readonly windows: WindowsData
  readonly registry: Readonly<Record<string, string>>
  readonly inventory: string
  readonly files: Readonly<Record<string, string>>
  /** What Facter 4 and OpenFact 5 made of the machine, from FacterDB. */
  readonly facts: Readonly<Record<string, unknown>>
}

const machines: readonly Recorded[] = JSON.parse(readFileSync(join(import.meta.dirname, 'machines.json'), 'utf8'))

/** The facts of FacterDB that are left out of the recorded ones, and ours that FacterDB has not. */
const differences = {
  facterversion: 'The version of the program.',
  ruby: 'Ruby is WebAssembly here, without a folder of sites.',
  env_windows_installdir: 'A variable that the start script of Puppet sets.',
  puppetversion: 'Puppet adds it.',
}

it.each(machines.map((each) => [each.name, each] as const))('the facts of %s are those of Facter', async (_, each) => {
  const { kernelRelease, path, systemRoot, facts } = each
  const variables = {
    Path: path,
    SystemRoot: systemRoot,
    ProgramData: 'C:\\ProgramData',
    ProgramFiles: 'C:\\Program Files',
    PROCESSOR_ARCHITECTURE: 'AMD64',
  }
  const found = await windowsFacts({ ...each, host: { kernelRelease, variables } })
  const own = Object.entries(found).filter(([name]) => !(name in differences))
  expect(Object.fromEntries(own)).toEqual(facts)
})
