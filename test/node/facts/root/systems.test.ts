import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectAllFacts } from '../../../../src/node/facts/collection.ts'
import { createRootMachine } from '../../../../src/node/facts/root/root-machine.ts'
import { rootSources } from '../../../../src/node/facts/sources.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { facterInRoot, type OsFact, withoutKernel } from './facter-in-root.ts'
import { rootDirectory } from './root-directory.ts'

interface KnownSystem {
  readonly name: string
  /** Version of Facter, and the name in FacterDB. */
  readonly facterdb: string
  /** Release files as the distribution ships them (github.com/which-distro/os-release), with the recorded version. */
  readonly files: Readonly<Record<string, string>>
  readonly facts: Tree
}

type Tree = Readonly<Record<string, unknown>>

const { names, systems }: { readonly names: readonly string[]; readonly systems: readonly KnownSystem[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'systems.json'), 'utf8'),
)
const page = readFileSync(resolve('docs/facts.md'), 'utf8')

/** The first cell of each row of a table, and the names in code style in the cell of `column`. */
function tableRows(heading: string, column: number): { readonly first: string; readonly facts: readonly string[] }[] {
  const [, table = ''] = page.split(`| ${heading} |`)
  const rows = table.split('\n\n')[0]!.split('\n').slice(2).filter(Boolean)
  return rows.map((row) => ({
    first: row.split('|')[1]!.trim(),
    facts: Array.from(row.split('|')[column]!.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  }))
}

const omitted = tableRows('omitted facts | reason', 1).flatMap(({ facts }) => facts)
const differing = tableRows('systems | facts | reason', 2)

function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, path === '' ? key : `${path}.${key}`))
}

const isBelow = (path: string, names: readonly string[]) => names.some((name) => `${path}.`.startsWith(`${name}.`))

async function factsOf(files: KnownSystem['files']) {
  const options = { factDirectories: [], externalDirectories: [], legacy: false, log: expect.fail }
  const machine = await createRootMachine(rootDirectory(files), expect.fail)
  return (await collectAllFacts(machine, { ...options, sources: rootSources })).values
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-15T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the facts of a root directory', () => {
  it.each(systems.map((each) => [each.name, each] as const))(
    '%s: as FacterDB has them',
    async (name, { files, facts }) => {
      const own = new Map(leaves(await factsOf(files)))
      const known = new Map(leaves(facts).filter(([path]) => !isBelow(path, omitted)))
      const rows = differing.filter(({ first }) => first === name).flatMap(({ facts }) => facts)
      const ofThisProgram = ['facterversion', 'ssh']
      const paths = [...new Set([...own.keys(), ...known.keys()])].filter((path) => !isBelow(path, ofThisProgram))
      const found = paths.filter((path) => own.get(path) !== known.get(path))
      const notes = found.filter((path) => !isBelow(path, rows)).map((path) => [path, own.get(path), known.get(path)])
      expect(notes).toEqual([])
      expect(rows.filter((row) => !found.some((path) => isBelow(path, [row])))).toEqual([])
      expect(paths.filter((path) => own.has(path) && isBelow(path, omitted))).toEqual([])
    },
  )

  it('are all facts of FacterDB, except those that the documentation names', async () => {
    const own = Object.keys(await factsOf({ '/etc/os-release': 'ID=debian\n' }))
    const known = names.filter((name) => !own.includes(name) && !['ssh', 'puppetversion'].includes(name))
    expect(known).toEqual(omitted.filter((name) => !name.includes('.')).sort())
  })

  it('are compared for at least twelve systems, all of them known to the documentation', () => {
    const words = new Set(systems.map(({ name }) => name.replace(/ [\d.]+$/, '')))
    expect(words.size).toBeGreaterThan(12)
    expect([...words].filter((word) => !page.includes(word))).toEqual([])
    expect(differing.filter(({ first }) => !systems.some(({ name }) => name === first))).toEqual([])
  })
})

const facter = recordedAnswers(import.meta.filename, 'Facter 4.3')

/** Values that Facter has since another version than 4.3. */
const newer: Readonly<Record<string, readonly string[]>> = {
  'Oracle Linux 10': ['distro.description', 'distro.id'],
  'Amazon Linux 2023': ['release', 'distro.release'],
}

/** The newest version of each system, without lsb_release. */
const newest = new Map(
  systems.map(({ name, files }) => {
    const { '/usr/bin/lsb_release': _, ...rest } = files
    return [name.replace(/ [\d.]+$/, ''), { name, files: rest }] as const
  }),
)

describe('the fact os of a root directory', () => {
  it.each([...newest.values()].map((each) => [each.name, each.files] as const))(
    '%s: as real Facter finds it there',
    async (name, files) => {
      const real = facter.one(name, files, () => facterInRoot(rootDirectory(files)))
      const own = leaves(withoutKernel((await factsOf(files))['os'] as OsFact))
      const isSame = ([path]: [string, unknown]) => !isBelow(path, newer[name] ?? [])
      const sorted = (found: [string, unknown][]) => Object.fromEntries(found.filter(isSame))
      expect(sorted(own)).toEqual(sorted(leaves(real)))
    },
  )
})
