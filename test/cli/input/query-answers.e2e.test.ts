import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Store } from '../../../src/store/thread/store.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('inputs')
const answers = join(folder, 'answers.json')
const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--node', 'n.test']
const code = `$rows = puppetdb_query('facts[certname, value] { name = "n" order by certname }')
notify { "rows ${'$'}{String($rows, '%p')}": }
notice(puppetdb_query(['from', 'nodes', ['extract', [['function', 'count']]]]))`
const expected = `rows [{'certname' => 'a.test', 'value' => 1}, {'certname' => 'b.test', 'value' => 2.5}]`

const compile = (...words: readonly string[]) => runHere(['catalog', 'compile', ...own, '--code', code, ...words])

beforeAll(async () => {
  const store = await Store.open({ folder: join(folder, 'var/server_data/store') })
  for (const [certname, n] of Object.entries({ 'a.test': 1, 'b.test': 2.5 })) {
    const producer_timestamp = '2026-11-20T06:00:00.000Z'
    const facts = { certname, environment: 'x', producer: 'p', producer_timestamp, values: { n } }
    const command = {
      name: 'replace facts',
      version: 5,
      certname,
      payload: Buffer.from(JSON.stringify(facts)),
    } as const
    expect((await store.submitAndWait(command, 300_000)).processed).toEqual({ problem: undefined })
  }
  await store.close()
})

describe('plumb catalog compile', () => {
  it('asks the store of the settings, and makes the same catalog from the answers alone', async () => {
    const asked = await compile('--store', 'sqlite', '--save-inputs', answers)
    expect(asked.err).toContain('[{count => 2}]')
    expect(asked).toMatchObject({ status: 0, out: expect.stringContaining(JSON.stringify(expected).slice(1, -1)) })
    const again = await compile('--inputs', answers)
    expect([again.status, again.out]).toEqual([0, asked.out])
    const rows = JSON.parse(readFileSync(answers, 'utf8')) as { readonly inputs: readonly unknown[] }
    expect(rows.inputs).toHaveLength(2)
  })

  it('says what there is no answer to, and what is no file of answers', async () => {
    const none = join(folder, 'none.json')
    writeFileSync(none, '{"inputs":[]}')
    const missing = await compile('--inputs', none)
    expect(missing.status).toBe(1)
    expect(missing.err).toContain(`has no answer to {"query":"facts[certname, value]`)
    writeFileSync(none, '[1')
    await expect(compile('--inputs', none)).resolves.toMatchObject({
      status: 1,
      err: expect.stringContaining(`Could not read answers from ${none}: it is not JSON`),
    })
  })

  it('needs a store that is there', async () => {
    const { status, err } = await runHere(['catalog', 'compile', ...own, '--store', 'none', '--code', code])
    expect([status, err]).toEqual([1, expect.stringContaining("Unknown function: 'puppetdb_query'.")])
    expect(err).toContain("Set 'store' in puppet.conf to query nodes.")
    const away = await compile('--store', 'sqlite', '--server_datadir', join(folder, 'elsewhere'))
    expect(away.err).toContain('The store does not exist yet')
  })

  it('asks for many nodes, too', async () => {
    const nodes = join(folder, 'nodes.txt')
    writeFileSync(nodes, 'n.test\nm.test\n')
    const site = join(folder, 'etc/code/environments/production/manifests')
    await import('node:fs/promises').then(({ mkdir }) => mkdir(site, { recursive: true }))
    writeFileSync(join(site, 'site.pp'), code)
    const many = ['catalog', 'compile', ...own.slice(0, 4), '--nodes', nodes, '--jobs', '2']
    for (const words of [
      ['--store', 'sqlite'],
      ['--inputs', answers],
    ]) {
      const { status, out, err } = await runHere([...many, ...words])
      expect([status, out], err).toEqual([0, expect.stringContaining('2 of 2 catalogs compiled')])
    }
  })
})
