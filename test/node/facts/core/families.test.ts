import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectAllFacts } from '../../../../src/node/facts/collection.ts'
import { recordedMachine } from '../../../support/recorded-machine.ts'

interface Case {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** What Facter 4.11 says where these are the files of /etc, and `lsb_release` is not installed. */
  readonly facts: Readonly<Record<string, unknown>>
}

const cases: readonly Case[] = JSON.parse(readFileSync(join(import.meta.dirname, 'families.json'), 'utf8'))

it('takes a family that is none for one that nobody knows', async () => {
  const options = { factDirectories: [], externalDirectories: [], legacy: false, log: expect.fail }
  const { values } = await collectAllFacts(
    recordedMachine({ files: { '/etc/os-release': 'NAME=X\nID=__proto__\n' } }),
    options,
  )
  expect(values['os']).toMatchObject({ name: 'X', family: '__proto__' })
})

it('has the end of the support, as OpenFact 5', async () => {
  const options = { factDirectories: [], externalDirectories: [], legacy: false, log: expect.fail }
  const text = 'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=42\nSUPPORT_END=2026-05-13\n'
  const { values } = await collectAllFacts(recordedMachine({ files: { '/etc/os-release': text } }), options)
  expect(values['os']).toMatchObject({ name: 'Fedora', support: { end: '2026-05-13' } })
})

it.each(cases.map((each) => [each.name, each] as const))('the system of %s', async (_, { files, facts }) => {
  const options = { factDirectories: [], externalDirectories: [], legacy: true, log: expect.fail }
  const { values } = await collectAllFacts(recordedMachine({ files }), options)
  const { selinux, ...os } = values['os'] as Readonly<Record<string, unknown>>
  const flat = Object.keys(facts).filter((name) => name !== 'os')
  expect({ os, ...Object.fromEntries(flat.map((name) => [name, values[name]])) }).toEqual(facts)
  expect(selinux).toEqual({ enabled: false })
})
