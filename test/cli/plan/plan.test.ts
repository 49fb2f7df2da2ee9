import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { costDefinitions } from '../../../src/cli/plan/operation-costs.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('plan')
const capacity = (...words: string[]) => runHere(['plan', 'capacity', ...words])
const costsFile = (text: string) => {
  const file = join(folder, 'costs.yaml')
  writeFileSync(file, text)
  return file
}

describe('plumb plan capacity', () => {
  it('prints the plan as a table', async () => {
    const { status, out, err } = await capacity('--nodes', '10000')
    expect([status, err]).toEqual([0, ''])
    expect(out.split('\n')[0]).toBe(
      '10000 nodes with 500 resources, a run every 30 min, 10 pushes a day that change 20 % of the nodes',
    )
    const labels = out.split('\n').flatMap((line) => /^ {2}( {0,2}\S.*?) {2,}/.exec(line)?.[1] ?? [])
    expect(labels).toEqual([
      'servers',
      'agent runs',
      'compiled catalogs',
      'processor load',
      'event loop load',
      'wait for a catalog',
      '  after a push',
      '  with 1 server lost',
      'database',
      'network',
    ])
  })

  it('prints site, plan and costs as JSON', async () => {
    const { out } = await capacity('--nodes', '500', '--runinterval', '1h', '--changed', '50%', '--render-as', 'json')
    const { site, plan, costs } = JSON.parse(out)
    expect(site).toMatchObject({ nodes: 500, intervalSeconds: 3600, windowSeconds: 3600, changed: 0.5, reportDays: 14 })
    expect(plan.servers).toBe(2)
    expect(Object.keys(costs).sort()).toEqual(['machine', ...Object.keys(costDefinitions)].sort())
  })

  it('uses the costs of a file, and the defaults for others', async () => {
    const file = costsFile('machine: our servers\ncompileResourceMs: 5\nidleMs: 0\n')
    const { out } = await capacity('--nodes', '1000', '--costs', file, '--render-as', 'json')
    expect(JSON.parse(out).costs).toMatchObject({
      ...{ machine: 'our servers', compileResourceMs: 5, idleMs: 0, compileMs: costDefinitions.compileMs.default },
    })
  })

  it('accepts costs as JSON', async () => {
    const { out } = await capacity('--nodes', '1', '--costs', costsFile('{"queryMs": 2.5}'), '--render-as', 'json')
    expect(JSON.parse(out).costs.queryMs).toBe(2.5)
  })

  it.each([
    [[], 'The number of nodes is missing'],
    [['--nodes', '0'], "--nodes requires a whole number from 1 to 10000000, not '0'"],
    [['--nodes', '1e3'], "--nodes requires a whole number from 1 to 10000000, not '1e3'"],
    [['--nodes', '5', '--changed', '101'], "--changed requires a number from 0 to 100 percent, not '101'"],
    [['--nodes', '5', '--cores', '1.5'], "--cores requires a whole number from 1 to 1024, not '1.5'"],
    [['--nodes', '5', '--servers', '1'], '--servers 1 leaves no server if 1 fail'],
    [['--nodes', '5', '--window', '3600'], 'The window of 3600 s is longer than the run interval of 1800 s'],
    [['--nodes', '5', '--runinterval', '0'], 'The setting runinterval must be at least 1 s and limited, not 0'],
    [['--nodes', '5', '--wait', '0.01'], 'No number of servers keeps the wait for a catalog after a push below 0.01 s'],
    [['--nodes', '5', '--costs', '/nonexistent'], 'Could not read costs from /nonexistent: No such file or directory'],
  ])('rejects %j', async (words, message) => {
    const { status, err } = await capacity(...words)
    expect(status).toBe(1)
    expect(err).toContain(message)
  })

  it.each([
    ['compileMS: 1\n', "Unknown cost 'compileMS' in "],
    ['idleMs: -1\n', 'The cost idleMs in '],
    ['idleMs: fast\n', 'must be a number of at least 0'],
    ['loopShare: 1.5\n', 'must be a number from 0 to 1'],
    ['- 1\n', 'does not contain a table of costs'],
    ['a: [\n', 'Could not read costs from '],
    [`machine: ${'x'.repeat(70_000)}\n`, 'more than 65536 bytes'],
  ])('rejects the costs %j', async (text, message) => {
    const { status, err } = await capacity('--nodes', '5', '--costs', costsFile(text))
    expect(status).toBe(1)
    expect(err).toContain(message)
  })

  it('suggests the name of a mistyped action, option and cost', async () => {
    expect((await runHere(['plan', 'capcity'])).err).toContain("Did you mean 'capacity'?")
    expect((await capacity('--node', '5')).err).toContain('--nodes')
    expect((await capacity('--nodes', '5', '--costs', costsFile('queryMS: 1\n'))).err).toContain("'queryMs'")
  })
})
