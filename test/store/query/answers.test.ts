import { beforeAll, describe, expect, test } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { ingest } from '../../../src/store/ingest/ingest.ts'
import { runQuery } from '../../../src/store/query/execution.ts'
import { expireNodes } from '../../../src/store/retention/node-expiration.ts'
import { isNight } from '../../support/nightly.ts'
import { databaseKinds, storeFor } from '../databases.ts'
import { datasetCommands } from '../dataset/commands.js'
import { payloadText } from '../dataset/load.js'
import { answerTo, namesOfHashes } from './ask.js'
import { clients, clientsAnswers, questionsOf } from './clients.js'
import { type Recorded, readAnswers } from './fixture.js'
import { position } from './pql/outcomes.ts'

const day = 86_400_000
/** By day one question of so many is asked; at night all are. */
const shares = { SQLite: isNight ? 1 : 3, PostgreSQL: isNight ? 1 : 10 } as const
/** The questions are asked in several tests, since a test may take half a minute. */
const parts = 10
/** Where ours is meant to answer otherwise, by what a question names. */
const differences: readonly RegExp[] = [
  // PuppetDB without the enterprise's extensions drops what it is told of corrective changes.
  /corrective_change/,
  // With a node that has no report, PuppetDB answers nothing: its query is `not in` a set with a NULL.
  /events\?query=\["not",\["=","latest_report\?",true\]\]/,
  // PuppetDB answers counts of events without a word when their plan is asked for.
  /event-counts\?explain=/,
  // The hash of a catalog there depends on the order of Clojure's sets.
  /catalogs\?query=\["~","hash"/,
  // PuppetDB finds out in its database that a boolean matches nothing; ours refuses it before it prints the query.
  /reports \{ noop ~ "t" \}&ast_only/,
  // The same for a sum of texts.
  /facts\[sum\(certname\)\] \{ \}&ast_only/,
  // Among objects, PostgreSQL orders by the shortest key first, SQLite by the text.
  /"mixed","os"\]\]\]&order_by=\[\{"field":"value"/,
]

describe.each(databaseKinds)('PuppetDB answers on $title', (kind) => {
  const store = storeFor(kind)
  let names: Awaited<ReturnType<typeof namesOfHashes>>
  const send = sender(() => store.database)

  beforeAll(async () => {
    await load(store.database)
    names = await namesOfHashes(url, send)
  })

  /** The questions to which the answer is not the recorded one. */
  async function answeredOtherwise(recorded: readonly Recorded[]): Promise<string[]> {
    const wrong: string[] = []
    for (const { question, ...expected } of recorded) {
      const given = await answerTo(url, question, names, send)
      const { method, path, body } = question
      if (!isSame(expected, given, question.order)) wrong.push([method, path, body].filter(Boolean).join(' '))
    }
    return wrong
  }

  const asked = readAnswers()
    .filter(({ question }) => !differences.some((each) => each.test(decodeURIComponent(question.path))))
    .filter((_, at) => at % shares[kind.name] === 0)

  test.skipIf(kind.missing).each(Array.from({ length: parts }, (_, at) => [at + 1]))(
    `are ours, part %i of ${parts}`,
    async (part) => {
      expect(await answeredOtherwise(asked.filter((_, at) => at % parts === part - 1))).toEqual([])
      expect(asked.length).toBeGreaterThan(4300 / shares[kind.name])
    },
  )

  test.skipIf(kind.missing)('are ours for all that puppetboard, Bolt and the exporter of Prometheus ask', async () => {
    const asked = readAnswers(clientsAnswers)
    expect(asked.map((each) => each.question)).toEqual(
      clients.flatMap((client) => questionsOf(client).map(({ question }) => question)),
    )
    expect(
      asked.filter(({ status, rows, value, count }) => status !== 200 || !(rows?.length || value || count)),
    ).toEqual([])
    expect(await answeredOtherwise(asked)).toEqual([])
  })
})

async function load(database: Database): Promise<void> {
  const received = new Date().toISOString()
  for (const { command, version, payload } of datasetCommands()) {
    const read = readCommand({ name: command, version, payload: Buffer.from(payloadText(payload)), received })
    await database.transaction((inside) => ingest(inside, read, Date.now()))
  }
  const now = Date.now()
  await expireNodes(database, { now, since: now - 7300 * day })
}

const url = 'http://store.test'

/** Asks the store without a server between. */
function sender(database: () => Database): typeof fetch {
  const plain = { 'content-type': 'text/plain;charset=utf-8' }
  return async (target, { method, body } = {}) => {
    const { pathname, search } = new URL(String(target))
    const question = {
      method: method === 'POST' ? 'POST' : 'GET',
      path: pathname.slice('/pdb/query/v4'.length),
      search: search.slice(1),
      body: String(body ?? ''),
    } as const
    try {
      const found = await runQuery(database(), question, { now: Date.now(), nodePurgeTtl: 18_000 * day })
      if (!found) return new Response('Not Found', { status: 404, headers: plain })
      let text = ''
      for await (const piece of found.pieces) text += piece
      const total = found.total !== undefined && { 'x-records': String(found.total) }
      const headers = { 'content-type': 'application/json;charset=utf-8', ...total }
      return new Response(text, { status: found.status, headers })
    } catch (error) {
      const refused = error instanceof PuppetError
      const text = refused ? error.diagnostic.message : String((error as Error).stack)
      return new Response(text, { status: refused ? 400 : 500, headers: plain })
    }
  }
}

type Given = Omit<Recorded, 'question'>

/** Errors in the words of Jackson, Clojure and PostgreSQL, for which ours has its own. */
const own = /^(?:Json parse error|No matching clause|ERROR: invalid regular expression|Only one query may be sent)/

/** PuppetDB names one of several unsupported parameters in the order of its sets, ours the first. */
const other = /^Unsupported query parameter '/

/** A question that made PuppetDB fail over itself has no answer to compare with; ours may not fail. */
function isSame(expected: Given, given: Given, order: string | undefined): boolean {
  if (expected.status === 500 || expected.text?.startsWith('No implementation of method')) return given.status !== 500
  // PuppetDB redirects an address that nothing has to one below itself, which nothing has either.
  if (expected.status === 302) return given.status === 404
  if (own.test(expected.text ?? '')) return given.status === expected.status
  if (other.test(expected.text ?? '') && other.test(given.text ?? '')) return given.status === expected.status
  return comparable(expected, order) === comparable(given, order)
}

/** Lists inside of rows have no order of their own, and corrective changes are not told by PuppetDB. */
function comparable({ rows, value, status, type, records, count, text }: Given, order: string | undefined): string {
  const plain = rows?.map(withoutOrder)
  return JSON.stringify([
    ...[status, type, records, count, text && position(text)],
    order === 'rows' ? plain : plain?.sort(),
    value === undefined ? undefined : withoutOrder(value),
  ])
}

function withoutOrder(json: string): string {
  const text = json.replace(/(corrective_change":)(?:true|false)/g, '$1null')
  if (!text.includes('"data":[')) return text
  const row = JSON.parse(text) as Record<string, { data?: unknown[] } | null>
  for (const field of Object.values(row))
    if (Array.isArray(field?.data)) field.data = field.data.map((each) => JSON.stringify(each)).sort()
  return JSON.stringify(row)
}
