import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { type QueryRequest, runQuery } from '../../../src/store/query/execution.ts'
import { loadDataset } from '../asked.ts'
import { type DatabaseKind, databaseKinds, storeFor } from '../databases.ts'

interface Recorded {
  readonly question: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string }
  readonly status: number
}

const file = new URL('random/statuses.jsonl.gz', import.meta.url)
const [head, ...recorded] = gunzipSync(readFileSync(file))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line)) as [{ version: string }, ...Recorded[]]

const options = { now: Date.parse('2026-11-28'), nodePurgeTtl: 1e12 }

describe.each(databaseKinds)('a query of $title that PuppetDB', (kind) => {
  const { database } = filledStore(kind)

  it.each([200, 400])('answers with %i has the same status here', async (status) => {
    const wrong: unknown[] = []
    const same = recorded.filter((each) => each.status === status)
    for (const { question } of same)
      if ((await statusFor(question)) !== status) wrong.push([question.path, question.body])
    expect(wrong).toEqual([])
    expect(same.length).toBeGreaterThan(250)
  })

  it('is recorded from 7.12', () => {
    expect(head.version).toMatch(/^7\.12\./)
  })

  async function statusFor({ method, path, body }: Recorded['question']): Promise<number> {
    const [place = '', search = ''] = path.split('?')
    const asked = { method, path: place.slice('/pdb/query/v4'.length), search, ...(body !== undefined && { body }) }
    return (await result(asked)).status
  }

  async function result(question: QueryRequest): Promise<{ status: number; text: string }> {
    try {
      const found = await runQuery(database(), question, options)
      let text = ''
      if (found) for await (const piece of found.pieces) text += piece
      return { status: found?.status ?? 404, text }
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      return { status: 400, text: error.diagnostic.message }
    }
  }

  it.each<readonly [path: string, query: object, parameters: string]>([
    ['/factsets', ['null?', 'facts.os', true], ''],
    ['/factsets', ['extract', 'producer_timestamp'], '&order_by=[{"field":"facts"}]&limit=2'],
    ['/edges', ['in', 'source_type', ['extract', 'latest_report?', ['select_reports', ['=', 'noop', true]]]], ''],
    ['/producers', ['extract', [['function', 'max', 'name'], 'name']], '&limit=15&include_total=true'],
    ['/edges', ['extract', [['function', 'max', 'target_type'], 'target_title']], '&limit=1&include_total=true'],
  ])('fails over is answered, or rejected with a reason: %s %j', async (path, query, parameters) => {
    const search = `query=${encodeURIComponent(JSON.stringify(query))}${parameters}`
    const { status, text } = await result({ method: 'GET', path, search })
    expect(status === 200 || (status === 400 && text.length > 10), `${status} ${text}`).toBe(true)
  })

  const list = <Item>(count: number, item: (at: number) => Item) => Array.from({ length: count }, (_, at) => item(at))
  const nested = (count: number, wrap: (inner: unknown, at: number) => unknown, inner: unknown) =>
    list(count, (at) => at).reduce<unknown>(wrap, inner)
  const named = (at: number) => ['=', 'certname', `node${at}`]
  const all = ['~', 'certname', '']
  const inNodes = (inner: unknown) => ['in', 'certname', ['extract', 'certname', ['select_nodes', inner]]]
  const inFacts = (inner: unknown) => ['in', 'certname', ['from', 'facts', ['extract', 'certname', inner]]]
  const texts = (count: number, operator: string) =>
    `nodes[certname] { ${list(count, (at) => `certname = "node${at}"`).join(` ${operator} `)} or certname = "web01.example.com" }`

  describe.each([
    ['5,000 equalities', '/nodes', { query: ['or', ...list(5000, named), ['=', 'certname', 'web01.example.com']] }, 1],
    [
      '5,000 equalities of a path',
      '/inventory',
      { query: ['or', ...list(5000, (at) => ['=', 'facts.kernel', `k${at}`])] },
      0,
    ],
    [
      '5,000 negations',
      '/environments',
      { query: ['and', ...list(5000, (at) => ['not', ['=', 'name', `e${at}`]])] },
      7,
    ],
    ['5,000 queries', '/nodes', { query: ['or', ...list(5000, (at) => inNodes(named(at)))] }, 0],
    ['200 nested queries', '/nodes', { query: nested(200, inNodes, ['=', 'certname', 'web01.example.com']) }, 1],
    [
      '200 nested queries of facts',
      '/nodes',
      { query: nested(200, inFacts, ['=', 'certname', 'web01.example.com']) },
      1,
    ],
    ['400 negations around a condition', '/nodes', { query: nested(400, (inner) => ['not', inner], named(1)) }, 0],
    [
      '900 nested conditions',
      '/nodes',
      { query: nested(900, (inner, at) => ['or', named(at), inner], ['=', 'certname', 'web01.example.com']) },
      1,
    ],
    ['100 equal connectives', '/nodes', { query: nested(100, (inner) => ['and', inner, all], all) }, 25],
    [
      '250 patterns of which the first matches',
      '/nodes',
      { query: ['or', ['~', 'certname', '^web01[.]'], ...list(249, (at) => ['~', 'certname', `^node${at}$`])] },
      1,
    ],
    [
      '250 patterns of which the last matches',
      '/nodes',
      { query: ['or', ...list(249, (at) => ['~', 'certname', `^node${at}$`]), ['~', 'certname', '^web01[.]']] },
      1,
    ],
    ['50 alternations', '/nodes', { query: nested(49, (inner, at) => [at % 2 ? 'and' : 'or', all, inner], all) }, 25],
    ['5,000 conditions in PQL', '', { query: texts(4999, 'or') }, 1],
    ['90 conditions in PQL', '', { query: texts(90, 'or') }, 1],
    [
      '200 nested queries in PQL',
      '',
      {
        query: nested(
          200,
          (inner) => `nodes[certname] { certname in ${inner} }`,
          'nodes[certname] { certname = "web01.example.com" }',
        ),
      },
      1,
    ],
  ] as const)('with %s', (_, path, parameters, count) => {
    it('is answered', async () => {
      const { status, text } = await result({ method: 'POST', path, search: '', body: JSON.stringify(parameters) })
      expect([status, status === 200 ? (JSON.parse(text) as unknown[]).length : text]).toEqual([200, count])
    }, 60_000)
  })

  it.each([
    ['JSON of 100,000 levels', '/nodes', '['.repeat(100_000), /nesting of \d+ is too deep/],
    ['PQL of 50,000 levels', '', `nodes { ${'('.repeat(50_000)} }`, /nested more than \d+ levels/],
    ['60 alternations', '/nodes', nested(60, (inner, at) => [at % 2 ? 'and' : 'or', all, inner], all), /alternate/],
    ['5,000 columns', '/nodes', ['extract', list(5000, () => 'certname')], /more than 1600 columns/],
    ['a number of 400 digits', '/facts', `["=","value",${'9'.repeat(400)}]`, /too large/],
    [
      'a format of 100,000 characters',
      '/reports',
      ['extract', [['function', 'to_string', 'start_time', 'x'.repeat(100_000)]]],
      /exceeds/,
    ],
    ['a limit of a fraction', '', '["from","nodes",["limit",1.5]]', /for :limit/],
    ['a limit beyond all numbers', '', '["from","nodes",["limit",1e30]]', /for :limit/],
    ['an order by an object', '', '["from","nodes",["order_by",{}]]', /for :order_by/],
    ['an order by what has no column', '', 'events { order by latest_report? }', /cannot be ordered by/],
    ['an operator that there is not', '/nodes', ['like', 'certname', 'a'], /"like" is not a condition operator/],
    [
      'an operator that there is not, on an entity of no node',
      '/packages',
      ['like', 'version', 'a'],
      /"like" is not a condition operator/,
    ],
    ['a type of a text', '/packages', ['extract', [['function', 'jsonb_typeof', 'version']]], /requires a JSON field/],
    [
      'a comparison of a fact with a boolean',
      '/nodes',
      ['>', ['fact', 'is_virtual'], true],
      /not allowed on value 'true'/,
    ],
    ['values of a fact of several types', '/nodes', ['in', ['fact', 'kernel'], ['array', [3, 2 ** 40]]], /same type/],
    ['a pattern in a path of parameters', '/resources', ['>', 'parameters.match("en.*")', 1], /match\(\)/],
    ['an empty connective at the end', '/nodes', ['and', all, ['and']], /takes at least one argument/],
    ['an empty connective', '/nodes', ['or'], /takes at least one argument/],
    ['a boolean that is none', '/reports', ['=', 'noop', 'tru'], /"tru" must be a boolean/],
    ['a backreference', '/nodes', ['~', 'certname', '(a)\\1'], /cannot be used/],
  ] as const)('with %s is rejected with the reason', async (_, path, query, reason) => {
    const text = typeof query === 'string' ? query : JSON.stringify(query)
    const { status, text: message } = await result({
      method: 'POST',
      path,
      search: '',
      body: JSON.stringify({ query: text }),
    })
    expect([status, message]).toEqual([400, expect.stringMatching(reason)])
  })

  it.each([
    ['/nodes', ['=', 'certname', 'a\0b']],
    ['/nodes', ['~', 'certname', 'a\0b']],
    ['/facts', ['=', 'value', '\0']],
    ['/inventory', ['=', 'facts.a\0b', 'a']],
    ['/inventory', ['extract', ['facts.a\0b']]],
    ['/resources', ['=', ['parameter', 'a\0'], 'x']],
    ['/fact-contents', ['~>', 'path', ['a\0', 1]]],
    ['/nodes', ['=', 'certname', '\ud800']],
    ['/facts', ['in', 'value', ['array', ['\ud800']]]],
    ['/nodes', ['~', 'certname', '(a+)+$']],
  ])('of %s with odd characters %j is answered, or rejected in words of PostgreSQL', async (path, query) => {
    const { status, text } = await result({ method: 'POST', path, search: '', body: JSON.stringify({ query }) })
    if (kind.name === 'SQLite') expect([status, text]).toEqual([200, expect.anything()])
    else
      expect(
        status === 200 || /^(?:invalid (?:byte sequence|input syntax)|unsupported Unicode escape)/.test(text),
        text,
      ).toBe(true)
  })

  it.each([true, false])('of a boolean takes the words of PostgreSQL for %s', async (value) => {
    const reports = async (noop: unknown) => {
      const query = encodeURIComponent(JSON.stringify(['=', 'noop', noop]))
      const { text } = await result({ method: 'GET', path: '/reports', search: `query=${query}` })
      return (JSON.parse(text) as { hash: string }[]).map(({ hash }) => hash).sort()
    }
    const expected = await reports(value)
    expect(expected.length).toBeGreaterThan(0)
    for (const word of value ? ['true', 'T', 'yes', 'ON', '1'] : ['false', 'F', 'no', 'OFF', '0'])
      expect([word, await reports(word)]).toEqual([word, expected])
  })

  it('fills the parts of a time to their widths, but behind FM', async () => {
    const format = 'FMMonth|FMDD|A.M.|a.m.|Month|DD'
    const query = ['extract', [['function', 'to_string', 'start_time', format]], ['=', 'certname', 'web01.example.com']]
    const search = `query=${encodeURIComponent(JSON.stringify(query))}`
    const { text } = await result({ method: 'GET', path: '/reports', search })
    const found = (JSON.parse(text) as { to_string: string }[]).map((row) => row.to_string)
    expect(found.length).toBeGreaterThan(0)
    for (const each of found) expect(each).toMatch(/^(\w+)\|([1-9]\d?)\|([AP])\.M\.\|[ap]\.m\.\|(?=.{9}\|)\1 *\|0?\2$/)
  })

  it('shows several values at paths with their types', async () => {
    const columns = ['facts.kernel', 'facts.is_virtual', 'facts.processors.count']
    const query = encodeURIComponent(JSON.stringify(['extract', columns, ['=', 'certname', 'web01.example.com']]))
    const { text } = await result({ method: 'GET', path: '/inventory', search: `query=${query}` })
    const [row] = JSON.parse(text) as Record<string, unknown>[]
    expect(columns.map((name) => typeof row?.[name])).toEqual(['string', 'boolean', 'number'])
  })

  it.each([
    [['not', ['<', 'parameters.uid', 1007]], 'in its place'],
    [['not', ['or', ['<', 'parameters.uid', 1007]]], 'in an or'],
  ])('without a path is unknown where %j is asked', async (condition, _) => {
    const query = ['extract', ['parameters.uid'], condition]
    const { text } = await result({ method: 'POST', path: '/resources', search: '', body: JSON.stringify({ query }) })
    const isDirect = condition[1]![0] !== 'or'
    expect((JSON.parse(text) as Record<string, unknown>[]).some((row) => row['parameters.uid'] === null)).toBe(
      !isDirect,
    )
  })
})

function filledStore(kind: DatabaseKind) {
  const store = storeFor(kind)
  beforeAll(() => loadDataset(store.database))
  return { database: () => store.database }
}
