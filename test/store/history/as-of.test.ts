import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { getFirstRow } from '../../../src/store/database/database.ts'
import { formatIdentity } from '../../../src/store/ingest/identity.ts'
import { isNight } from '../../support/nightly.ts'
import { databaseKinds, storeFor } from '../databases.ts'
import { aCatalog, aReport, commit, minute, someFacts, tell, textOf } from './a-past.ts'

/** Questions whose answers of then and of now are to be equal. */
const questions: [path: string, query: string][] = [
  ['/catalogs', ''],
  ['/catalogs', '["=","certname","web1"]'],
  ['/resources', ''],
  ['/resources', '["and",["=","certname","web2"],["~",["parameter","content"],"turn.*"]]'],
  ['/resources/File', '["~","title","1$"]'],
  ['/edges', ''],
  ['/facts', ''],
  ['/facts', '["in","certname",["array",["web1","db1"]]]'],
  ['/facts/role', ''],
  ['/facts', '["or",["~","name","^disk"],[">","value",1]]'],
  ['/factsets', ''],
  ['/factsets', '["extract",["certname","hash","producer_timestamp"],["=","environment","production"]]'],
  ['/fact-contents', '["~>","path",["disks",".*","size"]]'],
  ['/fact-names', ''],
  ['/fact-paths', ''],
  ['/inventory', ''],
  ['/inventory', '[">=","facts.disks.sda.size",100]'],
  ['/inventory', '["extract",["facts",["function","count"]],["group_by","facts"]]'],
  ['/inventory', '[">","facts.disks.match(\\"sd.\\").size",100]'],
  ['/nodes', ''],
  ['/nodes', '["=",["fact","kernel"],"Linux"]'],
  ['/nodes', '["subquery","resources",["=",["parameter","content"],"turn 2\\n"]]'],
  ['/nodes', '["in","certname",["extract","certname",["select_catalogs",["~","code_id","^0"]]]]'],
  ['/reports', ''],
  ['/reports', '["=","latest_report?",true]'],
]

describe.each(databaseKinds)('the past, on $title', (kind) => {
  const running = describe.skipIf(kind.missing !== '')

  running('of one node over 100 commits', () => {
    const store = storeFor(kind)
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')

    // 1,000 on PostgreSQL at night: it takes a minute.
    const catalogs = kind.name === 'SQLite' || isNight ? 1000 : 200
    const each = catalogs / 100

    test(`gives back each of ${catalogs} catalogs byte for byte`, async () => {
      const { database } = store
      const given: string[] = []
      for (let at = 0; at < catalogs; at++) {
        await tell(database, [{ catalog: aCatalog('web1', at, { code: commit(Math.floor(at / each)), size: 20 }) }])
        given.push(digest(await textOf(database, '/catalogs/web1')))
      }
      const asOf = async (moments: readonly string[]) => {
        const digests: string[] = []
        for (const [at, moment] of moments.entries()) {
          const text = await textOf(database, '/catalogs/web1', { as_of: moment })
          digests.push(`${at} ${digest(text)}`)
        }
        return digests
      }
      expect(new Set(given).size).toBe(catalogs)
      const numbered = (texts: readonly string[]) => texts.map((text, at) => `${at} ${text}`)
      expect(await asOf(given.map((_, at) => minute(at)))).toEqual(numbered(given))
      const lastOfEach = given.filter((_, at) => at % each === each - 1)
      expect(await asOf(lastOfEach.map((_, at) => commit(at)))).toEqual(numbered(lastOfEach))
      const size =
        kind.name === 'SQLite'
          ? sql`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
          : sql`select pg_database_size(current_database()) as bytes`
      const { bytes } = (await getFirstRow<{ bytes: number }>(database, size))!
      console.info(`${kind.name}: ${catalogs} catalogs of 21 resources take ${Math.round(bytes / 1024)} KiB`)
    }, 300_000)
  })

  // More nodes than rows with lists inside are read at once.
  running('of a fleet', () => {
    const store = storeFor(kind)
    const paths = ['/inventory', '/factsets', '/catalogs', '/reports'] as const
    const rows = async (path: string, parameters: Record<string, string> = {}) =>
      (JSON.parse(await textOf(store.database, path, parameters)) as unknown[])
        .map((row) => formatIdentity(row as ExactJson))
        .sort()

    test('is read node by node', async () => {
      const told = new Map<string, readonly string[]>()
      for (const turn of [0, 1]) {
        for (let node = 0; node < 25; node++) {
          const values = { kernel: 'Linux', uptime: turn * 100 + node, trusted: { certname: `n${node}` } }
          await tell(store.database, [
            { facts: someFacts(`n${node}`, turn * 10, values) },
            { catalog: aCatalog(`n${node}`, turn * 10, { turn: turn * (1 + (node % 2)) }) },
            { report: aReport(`n${node}`, turn * 10 + 1, 'changed') },
          ])
        }
        for (const path of paths) told.set(`${turn} ${path}`, await rows(path))
      }
      for (const path of paths) {
        const then = told.get(`0 ${path}`)!
        expect(then.length).toBe(25)
        expect(then).not.toEqual(told.get(`1 ${path}`))
        const given = await rows(path, { as_of: minute(5) })
        expect([given.length, given.filter((row) => !then.includes(row))], path).toEqual([25, []])
      }
    })
  })

  running('of several nodes', () => {
    const store = storeFor(kind)
    const turns = 5
    const rows = async (path: string, parameters: Record<string, string>) =>
      (JSON.parse(await textOf(store.database, path, parameters)) as unknown[])
        .map((row) => formatIdentity(row as ExactJson))
        .sort()
    const told = new Map<string, readonly string[]>()

    beforeAll(async () => {
      for (let turn = 0; turn < turns; turn++) {
        for (const [index, name] of ['web1', 'web2', 'db1'].entries()) {
          // Of the last node there are its first rows alone, so that today's are those of then.
          if (turn < index || (name === 'db1' && turn > index)) continue
          const values = {
            ...{ kernel: 'Linux', uptime: turn, disks: { sda: { size: 100 + turn }, sdb: [1, turn] } },
            ...(turn % 2 === 0 && { role: `role ${turn}` }),
          }
          await tell(store.database, [
            { facts: someFacts(name, turn * 10 + index, values) },
            { catalog: aCatalog(name, turn * 10 + index, { code: commit(turn), turn }) },
            { report: aReport(name, turn * 10 + index + 1, turn % 2 === 0 ? 'changed' : 'failed') },
          ])
        }
        for (const [path, query] of questions)
          told.set(`${turn} ${path} ${query}`, await rows(path, query === '' ? {} : { query }))
      }
    })

    test.each(questions)('answers as it did then: %s %s', async (path, query) => {
      for (let turn = 0; turn < turns; turn++) {
        const asked = { ...(query !== '' && { query }), as_of: minute(turn * 10 + 5) }
        expect(await rows(path, asked), `of turn ${turn}`).toEqual(told.get(`${turn} ${path} ${query}`))
      }
      expect(told.get(`${turns - 1} ${path} ${query}`)).not.toEqual([])
    })

    test('counts the rows of then', async () => {
      const query = '["extract",[["function","count"]],["=","type","File"]]'
      expect(await textOf(store.database, '/resources', { query, as_of: minute(5) })).toBe('[{"count":3}]')
    })

    test('knows nothing of the time before', async () => {
      expect(await textOf(store.database, '/nodes', { as_of: '2025-12-31' })).toBe('[]')
      expect(await textOf(store.database, '/catalogs/web1', { as_of: '2025-12-31' })).toBe(
        '404 {"error":"No information is known about catalog web1"}',
      )
      expect(await textOf(store.database, '/facts', { as_of: minute(0), query: '["=","certname","web2"]' })).toBe('[]')
    })

    test('takes a code_id: each node as it was with it, in whole, abbreviated, in AST and in PQL', async () => {
      const of = (asked: string) => textOf(store.database, '', { query: asked })
      const facts = '["from","facts",["=","name","uptime"],["order_by",["certname"]]'
      const expected = JSON.stringify(
        ['web1', 'web2'].map((certname) => ({ certname, environment: 'production', name: 'uptime', value: 1 })),
      )
      expect(await of(`${facts},["as_of","${commit(1)}"]]`)).toBe(expected)
      expect(await of(`${facts},["as_of","${commit(1).slice(0, -1)}"]]`)).toBe(expected)
      const pql = 'facts { name = "uptime" order by certname }'
      expect(await of(`${pql} as of "${commit(1)}"`)).toBe(expected)
      expect(await of(`${pql} as of ${commit(1)}`)).toBe(expected)
      expect(JSON.parse(await of(`nodes[latest_report_status] { certname = "web1" } as of '${commit(1)}'`))).toEqual([
        { latest_report_status: 'failed' },
      ])
    })

    test.each([
      ['/packages', { as_of: minute(1) }, "'as_of' is not supported for 'packages'"],
      ['/event-counts', { as_of: minute(1), summarize_by: 'certname' }, "not supported for 'event_counts'"],
      [
        '/nodes',
        { as_of: minute(1), query: '["in","certname",["extract","certname",["select_catalog_inputs",[]]]]' },
        "not supported for 'catalog_inputs'",
      ],
      ['/nodes', { as_of: 'yesterday' }, "'yesterday' is neither a time nor the code_id"],
      ['/nodes', { as_of: '0000000' }, "Several code_ids begin with '0000000'"],
      ['', { query: '["from","nodes",["as_of",1],["as_of",2]]' }, "Multiple 'as_of' clauses"],
      ['', { query: '["from","nodes",["as_of"]]' }, "Received 'as_of' clause without an argument"],
      ['', { query: 'nodes {} as of' }, 'PQL parse error at line 1, column 9'],
    ])('refuses %s %j', async (path, parameters, message) => {
      await expect(textOf(store.database, path, parameters as Record<string, string>)).rejects.toMatchObject({
        diagnostic: {
          code: expect.stringMatching(/INVALID_QUERY|PQL_SYNTAX/),
          message: expect.stringContaining(message),
        },
      })
    })
  })
})
