import { describe, expect, it } from 'vitest'
import { suggestionsFor } from '../../../src/server/pages/assets/completion.js'
import { listQueryWords } from '../../../src/server/pages/console/query-words.ts'
import { getNodeState, type LastRun, nodeStates, toStateCondition } from '../../../src/server/pages/node-state.ts'
import { splitRows } from '../../../src/server/pages/questions/row-splitter.ts'
import { fc } from '../../support/properties.ts'

async function* piecesOf(text: string, ends: readonly number[]): AsyncIterable<string> {
  let at = 0
  for (const end of [...ends, text.length].sort((a, b) => a - b)) {
    yield text.slice(at, end)
    at = Math.max(at, end)
  }
}

async function rowsIn(pieces: AsyncIterable<string>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of splitRows(pieces)) rows.push(JSON.parse(row))
  return rows
}

describe('rows of an answer', () => {
  it('are those of the array, wherever its text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat(400)), fc.nat(2), async (rows, ends, indent) => {
        const text = JSON.stringify(rows, undefined, indent)
        expect(await rowsIn(piecesOf(text, ends))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('are asked for no longer than they are wanted', async () => {
    let given = 0
    let isClosed = false
    async function* endless() {
      try {
        for (yield '['; ; given++) yield `${given},`
      } finally {
        isClosed = true
      }
    }
    for await (const row of splitRows(endless())) if (row === '5') break
    expect([given < 10, isClosed]).toEqual([true, true])
  })
})

describe('states of nodes', () => {
  const since = '2026-11-20T06:00:00.000Z'
  const runs = ['failed', 'changed', 'unchanged', null].flatMap((status) =>
    [true, false, null].flatMap((pending) =>
      [true, false, null].flatMap((corrective) =>
        [null, '2026-11-20T05:59:59.999Z', '2026-11-20T06:00:00.000Z'].map((time) => ({
          report_timestamp: time,
          latest_report_status: status,
          latest_report_noop_pending: pending,
          latest_report_corrective_change: corrective,
        })),
      ),
    ),
  )

  /** A condition as a database decides it, with its third value: `null`. */
  function holds(condition: unknown, run: LastRun): boolean | null {
    const [operator, ...operands] = condition as [string, ...unknown[]]
    const all = () => operands.map((each) => holds(each, run))
    const value = (run as unknown as Record<string, string | boolean | null>)[String(operands[0])]
    switch (operator) {
      case 'and':
        return all().includes(false) ? false : all().includes(null) ? null : true
      case 'or':
        return all().includes(true) ? true : all().includes(null) ? null : false
      case 'not': {
        const [inner] = all()
        return inner === null ? null : !inner
      }
      case 'null?':
        return (value === null) === operands[1]
    }
    if (value === null || value === undefined) return null
    const other = operands[1] as string | boolean
    return operator === '=' ? value === other : operator === '<' ? value < other : value >= other
  }

  it.each(runs)('are one for each node, in words and in queries: %j', (run) => {
    // A node whose report has no status is asked for by nothing but its time; the store gives each report one.
    if (run.latest_report_status === null && run.report_timestamp !== null) return
    const state = getNodeState(run, since)
    const found = nodeStates.filter(({ name }) => holds(toStateCondition(name, since), run) === true)
    expect(found.map(({ name }) => name)).toEqual([state])
  })
})

describe('completion of queries', () => {
  const words = listQueryWords()
  const first = (before: string) => suggestionsFor(before, words)[0]?.text

  it.each([
    ['no', 'nodes'],
    ['nodes { cert', 'certname'],
    ['nodes[cert', 'certname'],
    ['resources[certname, ti', 'title'],
    ['nodes { certname in resources[cer', 'certname'],
    ['nodes { certname in resources[certname] { ti', 'title'],
    ['nodes { certname in resources[certname] { title = "x" } and latest_report_h', 'latest_report_hash'],
    ['nodes[cou', 'count('],
    ['facts { name = "a{b[" and val', 'value'],
    ['reports[hash] { } gr', undefined],
    ['nodes { grou', 'group by'],
    ['nodes { certname = "no', undefined],
    ['', 'catalog_history'],
  ])('of %j begins with %j', (before, expected) => {
    expect(first(before)).toBe(expected)
  })

  it('has the names of the store', () => {
    expect(Object.keys(words.entities)).toEqual(
      expect.arrayContaining(['nodes', 'fact_contents', 'inventory', 'fact_names']),
    )
    expect(words.entities['reports']).toMatchObject({ status: 'string', end_time: 'timestamp', noop: 'boolean' })
  })
})
