import { beforeAll, describe, expect, it } from 'vitest'
import { parseRolloutPlan } from '../../../src/deploy/rollout/rollout-file.ts'
import { queryCertnames, queryWaves, readRolloutNodes } from '../../../src/deploy/rollout/wave-queries.ts'
import type { NodeStore, StoreResponse } from '../../../src/store/node-store.ts'
import { runQuery } from '../../../src/store/query/execution.ts'
import { loadDataset } from '../../store/asked.ts'
import { databaseKinds, storeFor } from '../../store/databases.ts'

type Store = Pick<NodeStore, 'ask'>

const planOf = (...nodes: readonly string[]) =>
  parseRolloutPlan(
    `waves:\n${nodes.map((each, index) => `  - name: w${index}\n    nodes: { ${each} }\n`).join('')}`,
    'r',
  )

const answering = (pieces: () => AsyncGenerator<string>): Store => ({
  ask: async (): Promise<StoreResponse> => ({ status: 200, total: undefined, pieces: pieces() }),
})

describe.each(databaseKinds)('queries of waves on $title', (kind) => {
  const held = storeFor(kind)
  const store: Store = {
    async ask(question) {
      const found = await runQuery(held.database, question, { now: Date.now(), nodePurgeTtl: Date.now() })
      return found && { total: undefined, ...found }
    },
  }
  beforeAll(() => loadDataset(held.database))

  it('return certnames by the index of the wave', async () => {
    const plan = planOf(
      'certnames: [a]',
      `query: 'inventory[certname]{ facts.os.name = "SLES" }'`,
      `query: 'resources[certname, title]{ certname ~ "^db0[12]" }'`,
    )
    const found = await queryWaves(plan, store)
    expect(Object.fromEntries([...found].map(([index, names]) => [index, [...names].sort()]))).toEqual({
      1: ['cache-1.example.net', 'cache-2.example.net', 'never-expires.example.com'],
      2: ['db01.example.com', 'db02.example.com'],
    })
  })

  it.each([
    ['nodes[certname', 'PQL parse error'],
    ['nod[certname]{}', 'nod'],
    ['nodes[certname]{ wat = 1 }', "'wat' is not a queryable object for nodes"],
  ])('%s fails, and the wave is named', async (query, why) => {
    const failure = queryWaves(planOf('certnames: [a]', `query: '${query}'`), store)
    await expect(failure).rejects.toMatchObject({ diagnostic: { code: 'ROLLOUT_QUERY' } })
    await expect(failure).rejects.toThrow("The query of the wave 'w1' failed: ")
    await expect(failure).rejects.toThrow(why)
  })

  it('fail if rows have no certname', async () => {
    await expect(queryWaves(planOf(`query: 'environments[name]{}'`), store)).rejects.toThrow(
      "The query of the wave 'w0' returned a row without a certname",
    )
  })

  it('read the facts of groups', async () => {
    const plan = planOf(
      'percent: 10, by: [facts.os.family, trusted.certname]',
      'percent: 20, by: [facts.os.family, facts.no.such]',
    )
    const nodes = await readRolloutNodes(plan, ['web01.example.com', 'db01.example.com', 'new.example.com'], store)
    expect(nodes).toMatchObject([
      { certname: 'web01.example.com', groups: { 'facts.os.family': 'Debian' } },
      { certname: 'db01.example.com', groups: { 'facts.os.family': 'RedHat' } },
      { certname: 'new.example.com', groups: {} },
    ])
    expect(Object.keys(nodes[0]!.groups)).not.toContain('facts.no.such')
  })

  it('reads nothing without groups', async () => {
    const silent: Store = { ask: () => Promise.reject(new Error('asked')) }
    expect(await readRolloutNodes(planOf('percent: 10'), ['a'], silent)).toEqual([{ certname: 'a', groups: {} }])
  })
})

describe('a query without end', () => {
  it('is ended after its time', async () => {
    let signal: AbortSignal | undefined
    const store: Store = {
      ask: (_, given) => {
        signal = given
        return new Promise(() => {})
      },
    }
    await expect(queryCertnames('x', store, 'halt', 20)).rejects.toThrow(
      'The query of halt failed: no answer within 0.02 seconds',
    )
    expect(signal?.aborted).toBe(true)
  })

  it('is ended after its rows', async () => {
    const store = answering(async function* () {
      yield '[{"certname":"a"}'
      for (;;) yield ',{"certname":"a"}'.repeat(10_000)
    })
    await expect(queryCertnames('x', store, "the wave 'a'")).rejects.toThrow('it returned more than 200000 rows')
  })

  it('is ended after its time while rows arrive', async () => {
    let isEnded = false
    const store = answering(async function* () {
      try {
        yield '[{"certname":"a"}'
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve))
          yield ',{"certname":"a"}'
        }
      } finally {
        isEnded = true
      }
    })
    await expect(queryCertnames('x', store, 'halt', 20)).rejects.toThrow('no answer within 0.02 seconds')
    await new Promise((resolve) => setImmediate(resolve))
    expect(isEnded).toBe(true)
  })
})
