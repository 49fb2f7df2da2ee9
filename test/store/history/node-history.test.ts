import { beforeAll, describe, expect, test } from 'vitest'
import { databaseKinds, storeFor } from '../databases.ts'
import { aCatalog, aReport, commit, minute, someFacts, tell, textOf } from './a-past.ts'

describe.each(databaseKinds)('what happened to a node, on $title', (kind) => {
  describe.skipIf(kind.missing !== '')('a node', () => {
    const store = storeFor(kind)
    const ask = async (path: string, parameters: Record<string, string> = {}) =>
      JSON.parse(await textOf(store.database, path, parameters))
    const history = (parameters: Record<string, string> = {}) => ask('/node-history/web1', parameters)

    beforeAll(async () => {
      await tell(store.database, [
        { facts: someFacts('web1', 0, { kernel: 'Linux', memory: 1 }) },
        { catalog: aCatalog('web1', 1, { code: commit(1), turn: 0 }) },
        { report: aReport('web1', 2, 'changed') },
        { facts: someFacts('web1', 10, { kernel: 'Linux', memory: 2, role: 'web' }) },
        { catalog: aCatalog('web1', 11, { code: commit(1), turn: 0 }) },
        { report: aReport('web1', 12, 'unchanged') },
        { facts: someFacts('web1', 20, { kernel: 'Linux', memory: 3 }) },
        { catalog: aCatalog('web1', 20, { code: commit(2), turn: 1, size: 4 }) },
        { report: aReport('web1', 20, 'failed') },
        { catalog: aCatalog('web2', 30, { code: commit(2) }) },
      ])
    })

    test('newest first, of one time the report before catalog and facts', async () => {
      const all = await history()
      expect(all.map(({ kind, time }: { kind: string; time: string }) => [kind, time])).toEqual([
        ['report', minute(20)],
        ['catalog', minute(20)],
        ['facts', minute(20)],
        ['report', minute(12)],
        ['facts', minute(10)],
        ['report', minute(2)],
        ['catalog', minute(1)],
      ])
      expect(await history({ limit: '2', offset: '3' })).toEqual(all.slice(3, 5))
      expect(await history({ kind: 'catalog,facts', from: minute(5), to: minute(15) })).toEqual([all[4]])
    })

    test('catalogs with what they brought', async () => {
      const [second, first] = await history({ kind: 'catalog' })
      expect(first).toMatchObject({
        ...{ until: minute(20), last_given: minute(11), current: false, code_id: commit(1), resources: 4 },
        ...{ environment: 'production', producer: 'server.test', changes: null },
      })
      expect(second).toMatchObject({ until: null, current: true, code_id: commit(2), resources: 5 })
      expect(second.changes).toEqual({
        ...{ added: 1, removed: 0, changed: 2, edges: true },
        resources: [
          { change: 'added', type: 'File', title: '/etc/conf.d/3' },
          { change: 'changed', type: 'File', title: '/etc/conf.d/0' },
          { change: 'changed', type: 'File', title: '/etc/conf.d/1' },
        ],
      })
    })

    test('changes of facts with the values before and after, also on a page that is not the first', async () => {
      const expected = [
        {
          ...{ kind: 'facts', time: minute(20) },
          changes: [
            { name: 'memory', before: 2, after: 3 },
            { name: 'role', before: 'web' },
          ],
        },
        {
          ...{ kind: 'facts', time: minute(10) },
          changes: [
            { name: 'memory', before: 1, after: 2 },
            { name: 'role', after: 'web' },
          ],
        },
      ]
      const sorted = (entries: { changes: { name: string }[] }[]) =>
        entries.map(({ changes, ...rest }) => ({
          ...rest,
          changes: changes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        }))
      expect(sorted(await history({ kind: 'facts' }))).toEqual(expected)
      expect(sorted(await history({ kind: 'facts', offset: '1' }))).toEqual(expected.slice(1))
    })

    test('which nodes got a commit, and when', async () => {
      const query = `["extract",["certname","since","until","current"],["=","code_id","${commit(2)}"]]`
      expect(await ask('/catalog-history', { query, order_by: '[{"field":"since"}]' })).toEqual([
        { certname: 'web1', since: minute(20), until: null, current: true },
        { certname: 'web2', since: minute(30), until: null, current: true },
      ])
      const ended = `["extract",["certname"],["and",["=","current",false],["<=","until","${minute(20)}"]]]`
      expect(await ask('/catalog-history', { query: ended })).toEqual([{ certname: 'web1' }])
    })

    test.each([
      [
        'node_history[kind, time, status] { certname = "web1" and time >= "2026-01-01T00:12Z" order by time desc, kind }',
        [
          { kind: 'catalog', time: minute(20), status: null },
          { kind: 'facts', time: minute(20), status: null },
          { kind: 'report', time: minute(20), status: 'failed' },
          { kind: 'report', time: minute(12), status: 'unchanged' },
        ],
      ],
      [
        'node_history[kind, count()] { certname = "web1" group by kind }',
        [
          { kind: 'catalog', count: 2 },
          { kind: 'facts', count: 2 },
          { kind: 'report', count: 3 },
        ],
      ],
      [
        `catalog_history[certname, since] { code_id = "${commit(2)}" order by since }`,
        [
          { certname: 'web1', since: minute(20) },
          { certname: 'web2', since: minute(30) },
        ],
      ],
      [
        `nodes[certname] { certname in catalog_history[certname] { code_id = "${commit(1)}" } }`,
        [{ certname: 'web1' }],
      ],
      ['nodes[certname] { node_history { kind = "report" and status = "failed" } }', [{ certname: 'web1' }]],
      ['catalog_history[certname] { current = true and nodes { certname = "web2" } }', [{ certname: 'web2' }]],
    ])('in PQL: %s', async (query, expected) => {
      const rows = await ask('', { query })
      const byKind = (a: { kind?: string }, b: { kind?: string }) => ((a.kind ?? '') < (b.kind ?? '') ? -1 : 1)
      expect(query.includes('group by') ? rows.toSorted(byKind) : rows).toEqual(expected)
    })

    test('has no fields but its own', async () => {
      await expect(ask('', { query: 'node_history { certnam = "web1" }' })).rejects.toMatchObject({
        diagnostic: {
          message: expect.stringContaining(
            "'certnam' is not a queryable object for node_history. Known queryable objects",
          ),
        },
      })
    })

    test('counts of events are explained', async () => {
      for (const path of ['/event-counts', '/aggregate-event-counts']) {
        const [explained] = await ask(path, { summarize_by: 'certname', explain: 'analyze' })
        expect(explained['query plan'][0].Plan).toBeTypeOf('object')
      }
    })

    test.each([
      [{ limit: '1001' }, "Illegal value '1001' for limit; expected at most 1000."],
      [{ limit: 'x' }, "Illegal value 'x' for limit; expected a number."],
      [{ from: 'x' }, "Illegal value 'x' for from; expected a time."],
      [{ kind: 'catalogue' }, "Illegal value 'catalogue' for kind; expected 'report', 'catalog', and 'facts'."],
      [{ query: '[]' }, "Unsupported query parameter 'query'"],
    ])('refuses %j', async (parameters, message) => {
      await expect(history(parameters as Record<string, string>)).rejects.toMatchObject({
        diagnostic: { code: 'INVALID_QUERY', message: expect.stringContaining(message) },
      })
    })

    test('is 404 of a node that nobody knows', async () => {
      expect(await textOf(store.database, '/node-history/web9')).toBe(
        '404 {"error":"No information is known about node web9"}',
      )
    })
  })
})
