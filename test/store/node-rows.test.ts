import { describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { readNodeList } from '../../src/server/gate/node-list.ts'
import { createRowReader, getLastContactTime, getReportedEnvironment } from '../../src/store/node-rows.ts'
import type { NodeStore } from '../../src/store/node-store.ts'

/** A store whose answer is this text, in pieces; counts the pieces that were read. */
function storeOf(answer: (query: string) => Iterable<string>) {
  const read = { pieces: 0 }
  const store: Pick<NodeStore, 'ask'> = {
    async ask({ body }) {
      return {
        ...{ status: 200, total: undefined },
        pieces: (async function* () {
          for (const piece of answer(String(body))) {
            read.pieces++
            yield piece
          }
        })(),
      }
    },
  }
  return { store, read }
}

/** The rounds of the event loop until a promise is kept. */
async function roundsUntil<Result>(
  work: Promise<Result>,
): Promise<{ readonly rounds: number; readonly result: Result }> {
  let rounds = 0
  let isOver = false
  const count = () => {
    rounds++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const result = await work
  isOver = true
  return { rounds, result }
}

const row = (index: number) => ({
  certname: `node${index}.test`,
  ...{ deactivated: null, expired: null, report_environment: 'production' },
  report_timestamp: new Date(1_700_000_000_000 + ((index * 7919) % 20_000) * 1000).toISOString(),
})

describe('rows of nodes', () => {
  it('are read up to the budget, and no piece after it', async () => {
    const { bound } = budgets.store.nodeRows
    const { store, read } = storeOf(function* () {
      yield '[{"n":0}'
      for (let at = 1; ; at += 1000) yield Array.from({ length: 1000 }, (_, index) => `,{"n":${at + index}}`).join('')
    })
    const rows = await createRowReader(store)(['from', 'nodes'])
    expect(rows).toHaveLength(bound)
    expect(rows.at(-1)).toEqual({ n: bound - 1 })
    expect(read.pieces).toBeLessThan(bound / 1000 + 3)
  })

  it('of 20,000 nodes leave the event loop its turns, and come by the time of the last report', async () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => row(index)))
    const { store } = storeOf((query) => [query.includes('node_state') ? text : '[]'])
    const work = readNodeList({ askings: { nodes: () => [] }, store, now: Date.now(), ttl: 0 })
    const { rounds, result } = await roundsUntil(work)
    expect(rounds).toBeGreaterThan(5)
    const times = new Map(
      Array.from({ length: 20_000 }, (_, index) => [row(index).certname, row(index).report_timestamp]),
    )
    const order = result.map(({ node }) => times.get(node)!)
    expect(order).toEqual(order.toSorted().toReversed())
    expect(result[0]).toMatchObject({ environments: ['production'], state: 'active', hasRequest: false })
  })

  it.each([
    [{ report_timestamp: '2026-01-02', facts_timestamp: '2026-01-03' }, '2026-01-03'],
    [{ catalog_timestamp: '2026-01-01', facts_timestamp: null }, '2026-01-01'],
    [{}, null],
  ])('the node of %j was last heard at %s', (given, time) => {
    expect(getLastContactTime(given)).toBe(time)
  })

  it.each([
    [{ report_environment: 'a', catalog_environment: 'b' }, 'a'],
    [{ report_environment: null, catalog_environment: 'b', facts_environment: 'c' }, 'b'],
    [{ report_environment: null, catalog_environment: null, facts_environment: 'c' }, 'c'],
    [{}, null],
  ])('the node of %j belongs to %s', (given, name) => {
    expect(getReportedEnvironment(given)).toBe(name)
  })
})
