import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { ingest } from '../../../src/store/ingest/ingest.ts'
import { answer } from '../../../src/store/query/answer.ts'
import { expireNodes } from '../../../src/store/retention/expire-nodes.ts'
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
  let server: Server
  let url: string

  beforeAll(async () => {
    await load(store.database)
    server = serve(store.database)
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server?.close())

  test.skipIf(kind.missing)('are ours', async () => {
    const asked = readAnswers()
      .filter(({ question }) => !differences.some((each) => each.test(decodeURIComponent(question.path))))
      .filter((_, at) => at % shares[kind.name] === 0)
    expect(await answeredOtherwise(url, asked)).toEqual([])
    expect(asked.length).toBeGreaterThan(4300 / shares[kind.name])
  })

  test.skipIf(kind.missing)('are ours for all that puppetboard, Bolt and the exporter of Prometheus ask', async () => {
    const asked = readAnswers(clientsAnswers)
    expect(asked.map((each) => each.question)).toEqual(
      clients.flatMap((client) => questionsOf(client).map(({ question }) => question)),
    )
    expect(
      asked.filter(({ status, rows, value, count }) => status !== 200 || !(rows?.length || value || count)),
    ).toEqual([])
    expect(await answeredOtherwise(url, asked)).toEqual([])
  })
})

/** The questions to which the answer is not the recorded one. */
async function answeredOtherwise(url: string, recorded: readonly Recorded[]): Promise<string[]> {
  const names = await namesOfHashes(url)
  const wrong: string[] = []
  for (const { question, ...expected } of recorded) {
    const given = await answerTo(url, question, names)
    const { method, path, body } = question
    if (!isSame(expected, given, question.order)) wrong.push([method, path, body].filter(Boolean).join(' '))
  }
  return wrong
}

async function load(database: Database): Promise<void> {
  const received = new Date().toISOString()
  for (const { command, version, payload } of datasetCommands()) {
    const read = readCommand({ name: command, version, payload: Buffer.from(payloadText(payload)), received })
    await database.transaction((inside) => ingest(inside, read, Date.now()))
  }
  const now = Date.now()
  await expireNodes(database, { now, since: now - 7300 * day })
}

function serve(database: Database): Server {
  return createServer(async (request, response) => {
    try {
      const [path = '', search = ''] = (request.url ?? '').split('?')
      const method = request.method === 'POST' ? 'POST' : 'GET'
      const question = {
        method,
        path: path.slice('/pdb/query/v4'.length),
        search,
        body: await textOf(request),
      } as const
      const found = await answer(database, question, { now: Date.now(), nodePurgeTtl: 18_000 * day })
      if (!found) {
        response.writeHead(404, { 'content-type': 'text/plain;charset=utf-8' })
        response.end('Not Found')
        return
      }
      let text = ''
      for await (const piece of found.pieces) text += piece
      const total = found.total !== undefined && { 'x-records': String(found.total) }
      response.writeHead(found.status, { 'content-type': 'application/json;charset=utf-8', ...total })
      response.end(text)
    } catch (error) {
      const refused = error instanceof PuppetError
      response.writeHead(refused ? 400 : 500, { 'content-type': 'text/plain;charset=utf-8' })
      response.end(refused ? error.diagnostic.message : String((error as Error).stack))
    }
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
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
