import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { addQueryRoutes } from '../../src/server/pdb/query.ts'
import { Store } from '../../src/store/thread/store.ts'
import { openServer } from '../server/open-server.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { datasetCommands } from './dataset/commands.js'
import { payloadText } from './dataset/load.js'

const minute = 60_000

/** A question that takes two seconds for each thousand conditions: each of them looks at all paths of facts. */
const slowQuestion = (conditions: number) => [
  'or',
  ...Array.from({ length: conditions }, (_, at) => among(`x${at}.*y.*z`)),
]
const slow = slowQuestion(3000)

function among(pattern: string): unknown {
  return ['in', 'certname', ['extract', 'certname', ['select_fact_contents', ['~', 'value', pattern]]]]
}

function asked(path: string, query?: unknown) {
  return { method: 'GET', path, search: query ? `query=${encodeURIComponent(JSON.stringify(query))}` : '' } as const
}

async function textOf(store: Store, question: ReturnType<typeof asked>): Promise<string> {
  let text = ''
  for await (const piece of (await store.ask(question))!.pieces) text += piece
  return text
}

describe('questions to a store', () => {
  const folder = scratchFolder('readers')
  let store: Store

  beforeAll(async () => {
    store = await Store.open({ folder })
    for (const { command, version, payload } of datasetCommands().filter(({ command }) => command !== 'store report')) {
      const bytes = Buffer.from(payloadText(payload))
      await store.submitAndWait({ name: command, version, certname: payload.certname, payload: bytes }, minute)
    }
  })
  afterAll(() => store.close())

  /** The same store with another time for a question; the budget's if absent. */
  async function reopen(options: { readonly queryTimeMs?: number } = {}): Promise<void> {
    await store.close()
    store = await Store.open({ folder, ...options })
  }

  it('are answered while a slow one goes on, and when it is ended', async () => {
    onTestFinished(() => reopen())
    await reopen({ queryTimeMs: 5000 })
    expect(JSON.parse(await textOf(store, asked('/environments')))).not.toEqual([])
    await Promise.all([1, 2, 3].map(() => textOf(store, asked('/nodes'))))
    let ended = ''
    // As many conditions as a question may have: it takes three times as long as it may.
    const slowOne = store.ask(asked('/nodes', slowQuestion(7000))).catch((error: Error) => (ended = error.message))
    for (let times = 0; times < 3; times++)
      expect(JSON.parse(await textOf(store, asked('/environments')))).not.toEqual([])
    expect(ended).toBe('')
    await slowOne
    expect(ended).toBe('The store query failed: it exceeded the time limit')
    expect(JSON.parse(await textOf(store, asked('/environments')))).not.toEqual([])
  })

  it('end when who asked goes away before the first rows', async () => {
    const patient = await Store.openToAsk({ folder })
    const server = openServer()
    addQueryRoutes(server, { store: patient })
    let arrived = 0
    server.addHook('preHandler', async ({ url }) => void (url.startsWith('/pdb/') && arrived++))
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const posted = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ query: slow })
    const client = new AbortController()
    // As many as there are processes, and one that waits for one of them.
    const all = Array.from({ length: budgets.store.readers.bound + 1 }, () =>
      fetch(`${url}/pdb/query/v4/nodes`, { ...posted, body, signal: client.signal }).catch(({ name }) => name),
    )
    await expect.poll(() => arrived).toBe(all.length)
    let answered = false
    const other = fetch(`${url}/pdb/query/v4/environments`).then((answer) => {
      answered = true
      return answer.json()
    })
    await expect.poll(() => arrived).toBe(all.length + 1)
    // A few answers later.
    for (let times = 0; times < 20; times++) await fetch(`${url}/other`)
    expect(answered).toBe(false)
    client.abort()
    expect(await Promise.all(all)).toEqual(all.map(() => 'AbortError'))
    expect(await other).not.toEqual([])
    await server.close()
    await patient.close()
  })

  it('may come all at once', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => textOf(store, asked('/nodes'))))
    expect(new Set(all).size).toBe(1)
  })

  /** A condition in so many negations. */
  const nested = (levels: number) => JSON.parse(`${'["not",'.repeat(levels)}["=","certname","a"]${']'.repeat(levels)}`)

  it.each([
    ['a thousand conditions', ['or', ...Array.from({ length: 1500 }, (_, at) => ['=', 'certname', `n${at}`])], 200],
    [
      'a list of fifty thousand',
      ['in', 'certname', ['array', Array.from({ length: 50_000 }, (_, at) => `n${at}`)]],
      200,
    ],
    ['more values than it takes', ['in', 'certname', ['array', Array.from({ length: 200_000 }, () => 1)]], 400],
    ['a pattern that grows', ['~', 'certname', `(${'a?'.repeat(60)}){50}`], 400],
    ['a pattern that others try again and again', ['~', 'certname', '^(a+)+$'], 200],
    ['two hundred levels', nested(200), 200],
    ['a thousand levels', nested(1000), 400],
  ])('have bounds: %s', async (_, query, status) => {
    const question = { method: 'POST', path: '/nodes', search: '', body: JSON.stringify({ query }) } as const
    const answer = await store.ask(question).then(
      ({ status } = { status: 404, total: undefined, pieces: (async function* () {})() }) => ({ status }),
      (error: { diagnostic?: { code: string } }) => ({ status: error.diagnostic?.code === 'QUERY_FAILED' ? 500 : 400 }),
    )
    expect(answer).toEqual({ status })
  })

  it('may have an enormous limit', async () => {
    const question = { ...asked('/nodes'), search: 'limit=999999999999999' }
    expect(JSON.parse(await textOf(store, question)).length).toBeGreaterThan(10)
  })
})
