import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { splitJsonArray } from '../../../src/base/json/json-rows.ts'
import { openSqlite } from '../../../src/store/database/sqlite.ts'
import { migrateDatabase } from '../../../src/store/schema/migrations.ts'
import { aCatalog, aReport, commit, minute, someFacts, tell } from '../../store/history/a-past.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('asking')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const asked = (...words: string[]) => runHere([...words, ...places, '--store', 'sqlite'])

beforeAll(async () => {
  const file = join(folder, 'var/server_data/store/store.db')
  mkdirSync(join(file, '..'), { recursive: true })
  const database = openSqlite(file)
  await migrateDatabase(database, Date.now())
  await tell(database, [
    { facts: someFacts('web1', 0, { kernel: 'Linux', evil: 'a\u001b[2J,"b"', os: { name: 'Debian' } }) },
    { catalog: aCatalog('web1', 1, { code: commit(1), turn: 0 }) },
    { report: aReport('web1', 2, 'changed') },
    { facts: someFacts('web1', 10, { kernel: 'Linux', evil: 'a\u001b[2J,"b"', os: { name: 'Ubuntu' } }) },
    { catalog: aCatalog('web1', 11, { code: commit(2), turn: 1 }) },
    { report: aReport('web1', 12, 'failed') },
    { facts: someFacts('web2', 20, { kernel: 'Linux' }) },
  ])
  await database.close()
})

describe('plumb query', () => {
  test.each<[words: string[], out: string]>([
    [['nodes[certname] { order by certname }'], 'certname\nweb1\nweb2\n'],
    [['["from","nodes",["extract","certname"]]', '--order-by', 'certname:desc'], 'certname\nweb2\nweb1\n'],
    [['facts[certname,value] { name = "os" }', '--as-of', minute(5)], 'certname  value\nweb1      {"name":"Debian"}\n'],
    [
      ['facts[value] { name = "os" }', '--as-of', commit(1), '--render-as', 'csv'],
      'value\r\n"{""name"":""Debian""}"\r\n',
    ],
    [
      ['facts[certname, value] { name = "evil" }', '--render-as', 'csv'],
      'certname,value\r\nweb1,"a\u001b[2J,""b"""\r\n',
    ],
    [['facts[value] { name = "evil" }'], 'value\na\\x1b[2J,"b"\n'],
    [
      ['nodes[certname]{}', '--limit', '1', '--offset', '1', '--order-by', 'certname', '--render-as', 'json'],
      '[\n{"certname":"web2"}\n]\n',
    ],
  ])('%j', async (words, out) => {
    expect(await asked('query', ...words)).toEqual({ status: 0, out, err: '' })
  })

  test('takes the name of an entity, standard input and a file', async () => {
    const file = join(folder, 'query.pql')
    writeFileSync(file, 'nodes[certname] { certname = "web2" }\n')
    const expected = { status: 0, out: 'certname\nweb2\n', err: '' }
    expect(await asked('query', '--file', file)).toEqual(expected)
    const words = ['query', '-', ...places, '--store', 'sqlite']
    expect(await runHere(words, 'nodes[certname] { certname = "web2" }')).toEqual(expected)
    expect((await asked('query', 'environments')).out).toBe('name\nproduction\n')
  })

  test('answers 2 where there are no rows', async () => {
    expect(await asked('query', 'nodes { certname = "x" }')).toEqual({ status: 2, out: '', err: 'No rows.\n' })
    const json = await asked('query', 'nodes { certname = "x" }', '--render-as', 'json')
    expect(json).toEqual({ status: 2, out: '[]\n', err: '' })
  })

  test.each<[words: string[], ...said: string[]]>([
    [['nodez'], 'PQL parse error at line 1, column 1:', '  nodez\n  ^', "Did you mean 'nodes'?"],
    [['nodes { certnam = "a" }'], "'certnam' is not a queryable object for nodes", "Did you mean 'certname'?"],
    [['nodes[certnam] {}'], "Can't extract unknown 'nodes' field 'certnam'", "Did you mean 'certname'?"],
    [['["from","nodez"]'], "Invalid entity 'nodez' in query", "Did you mean 'nodes'?"],
    [['nodes { certname = }'], 'PQL parse error at line 1, column 20', '                     ^'],
    [['nodes', '--limit', 'x'], "--limit requires a number, not 'x'"],
    [['nodes', '--order-by', 'a:up'], "Invalid order 'a:up'"],
    [['packages', '--as-of', '2026'], "'as_of' is not supported for 'packages'"],
    [['--file', '/nothing/here'], 'Could not read /nothing/here: No such file or directory'],
    [[], 'No query given'],
  ])('%j is refused', async (words, ...said) => {
    const { status, out, err } = await asked('query', ...words)
    expect([status, out]).toEqual([1, ''])
    for (const text of said) expect(err).toContain(text)
  })

  test('says where there is no store', async () => {
    expect((await runHere(['query', 'nodes', ...places, '--store', 'none'])).err).toContain('This machine has no store')
    const elsewhere = ['--vardir', join(folder, 'other'), '--store', 'sqlite']
    expect((await runHere(['query', 'nodes', ...elsewhere])).err).toContain('This machine has no store')
  })
})

describe('plumb node', () => {
  test('list', async () => {
    const { status, out } = await asked('node', 'list')
    expect(status).toBe(0)
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['certname', 'state', 'last_heard', 'environment', 'code_id'],
      ['web1', 'unresponsive', expect.stringMatching(/ days ago$/), 'production', commit(2)],
      ['web2', 'unresponsive', expect.stringMatching(/ days ago$/), 'production'],
      [''],
    ])
    const json = JSON.parse((await asked('node', 'list', '--render-as', 'json')).out)
    const time = expect.stringMatching(/^2026-07-01T/)
    expect(json).toMatchObject([{ certname: 'web1', code_id: commit(2), last_heard: time }, { certname: 'web2' }])
    const failed = await asked('node', 'list', '--unresponsive_after', '20y', '--state', 'failed', 'pending')
    expect(failed.err).toBe('')
    expect(failed.out.split('\n').map((line) => line.split(/\s{2,}/)[0])).toEqual(['certname', 'web1', ''])
    expect((await asked('node', 'list', '--state', 'noop')).status).toBe(1)
  })

  test('status, in the words of PuppetDB', async () => {
    const { status, out } = await asked('node', 'status', 'web1', 'web2', 'web9')
    expect(status).toBe(2)
    expect(out).toBe(`web1
Currently active
Last catalog: 2026-07-01T00:00:00.000Z
Last facts: 2026-07-01T00:00:00.000Z

web2
Currently active
No catalog received
Last facts: 2026-07-01T00:00:00.000Z

web9
No information known
`)
  })

  test('show', async () => {
    const { status, out } = await asked('node', 'show', 'web1')
    expect(status).toBe(0)
    for (const line of ['web1', '  state: unresponsive', `  code_id: ${commit(2)}`, '  Main', '  resources: 4'])
      expect(out.split('\n')).toContain(line)
    expect(out).toContain('  os = {"name":"Ubuntu"}\n')
    expect(out).toContain('  evil = a\\x1b[2J,"b"\n')
    const json = JSON.parse((await asked('node', 'show', 'web1', '--render-as', 'json')).out)
    expect(json).toMatchObject({ classes: ['Main'], facts: { os: { name: 'Ubuntu' } }, reports: [{}, {}] })
    expect(await asked('node', 'show', 'web9')).toMatchObject({ status: 2, out: '' })
  })

  test('history', async () => {
    const { status, out } = await asked('node', 'history', 'web1')
    expect(status).toBe(0)
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['time', 'kind', 'code_id', 'what'],
      ['2026-01-01T00:12:00Z', 'report', commit(0).slice(0, 12), 'failed'],
      [
        ...['2026-01-01T00:11:00Z', 'catalog', commit(2).slice(0, 12)],
        '0 added, 0 removed, 2 changed: ~File[/etc/conf.d/0], ~File[/etc/conf.d/1]',
      ],
      ['2026-01-01T00:10:00Z', 'facts', expect.stringMatching(/^1 of \d+ changed: os\.name$/)],
      ['2026-01-01T00:02:00Z', 'report', commit(0).slice(0, 12), 'changed'],
      ['2026-01-01T00:01:00Z', 'catalog', commit(1).slice(0, 12), 'first catalog: 4 resources'],
      [''],
    ])
    const json = JSON.parse((await asked('node', 'history', 'web1', '--kind', 'facts', '--render-as', 'json')).out)
    expect(json).toMatchObject([{ kind: 'facts', changes: [{ name: 'os', before: { name: 'Debian' } }] }])
    const unknown = await asked('node', 'history', 'web9')
    expect(unknown).toMatchObject({ status: 2, err: expect.stringContaining('The store has no history of node web9') })
  })
})

describe('plumb catalog diff of the store', () => {
  test('compares what a node was given, by code_id and by time', async () => {
    const words = ['catalog', 'diff', `web1@${commit(1).slice(0, 39)}0`, `web1@${minute(30)}`]
    expect((await asked(...words)).err).toContain('is neither a time nor the code_id')
    words[2] = `web1@${commit(1)}`
    const expected = `~ File[/etc/conf.d/0]
    content:
      -turn 0
      \\ No newline at end of file
`
    const { status, out } = await asked(...words, '--detailed-exitcodes')
    expect(status).toBe(2)
    expect(out).toContain(expected.split('\n')[0])
    expect(out).toContain('-turn 0')
    expect(out).toContain('+turn 1')
    expect(out).toContain('- Class[Main] contains File[/etc/conf.d/0]')
    expect(out).toContain('0 added, 0 removed, 2 changed')
    expect((await asked('catalog', 'diff', 'web1@2020-01-01', 'web1@2027-01-01')).err).toContain(
      'The store has no catalog of web1 at 2020-01-01',
    )
  })
})

describe('rows of JSON in pieces', () => {
  const rows = ['{"a":"],[\\"{"}', '[1,[2]]', '"x\\\\"', 'null', '-1.0']

  test.each([1, 2, 3, 7, 1000])('of %i characters', async (size) => {
    const text = ` [ ${rows.join(' ,\n ')} ] `
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
    }
    const found: string[] = []
    for await (const some of splitJsonArray(pieces())) found.push(...some)
    expect(found).toEqual(rows)
  })

  test.each([
    ['[]', []],
    ['', []],
    ['{"a":[1]}', ['{"a":[1]}']],
  ])('%j', async (text, expected) => {
    const found: string[] = []
    for await (const some of splitJsonArray(
      (async function* () {
        yield text
      })(),
    ))
      found.push(...some)
    expect(found).toEqual(expected)
  })
})
