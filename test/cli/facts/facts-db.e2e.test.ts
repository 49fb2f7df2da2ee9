import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFacterDb } from '../../../src/workbench/systems/facterdb.ts'
import { type GemServerForTests, serveGems } from '../../node/gems/gem-index.ts'
import { packGem } from '../../node/gems/packed-gem.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('facts-db')
let server: GemServerForTests

beforeAll(async () => {
  const pack = (version: string, system: string) =>
    packGem({ name: 'facterdb', version, files: { [`facts/4.2/${system}.facts`]: '{}' } })
  server = await serveGems(await Promise.all([pack('2.1.0', 'debian-11-x86_64'), pack('3.0.0', 'debian-12-x86_64')]))
})
afterAll(() => server.close())

const runDb = (...words: readonly string[]) =>
  runHere([
    ...['facts', 'db', ...words, '--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')],
    ...['--gem_sources', server.url],
  ])

describe('plumb facts db', () => {
  it('updates FacterDB, whose facts the tests find', async () => {
    expect(await runDb('update', '--version', '~> 2.1')).toMatchObject({
      status: 0,
      out: 'Installed FacterDB 2.1.0\n',
    })
    const gems = join(folder, 'var/facterdb/gems')
    expect(openFacterDb([gems]).names).toEqual(['debian-11-x86_64'])
    expect(await runDb('update')).toMatchObject({ status: 0, out: 'Installed FacterDB 3.0.0\n' })
    expect(openFacterDb([gems]).names).toContain('debian-12-x86_64')
    expect(readdirSync(gems)).toContain('facterdb-3.0.0')
  })

  it.each([
    [['updat'], "'facts db' has no 'updat' action", "Did you mean 'update'?"],
    [['update', '2.1'], "Unexpected argument '2.1'", '--version'],
    [['update', '--version', 'new'], 'Illformed requirement ["new"]', ''],
  ])('rejects %j', async (words, message, hint) => {
    const { status, err } = await runDb(...words)
    expect(status).not.toBe(0)
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })

  it.each([[['os']], [['show']], [['find']], [['upload']]])('has the option --version alone: %j', async (words) => {
    const { status, out, err } = await runHere(['facts', ...words, '--version', '~> 2.1'])
    expect([status, out]).toEqual([1, ''])
    expect(err).toContain("--version is an option of 'plumb facts db update'")
  })

  it('is no obstacle to the version of the program', async () => {
    const { status, out } = await runHere(['facts', '--version'])
    expect([status, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/)])
  })
})
