import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { connectParent, endWithParent } from '../../base/program/script-process.ts'
import type { Database } from '../database/database.ts'
import { type QueryOptions, type QueryRequest, runQuery } from '../query/execution.ts'
import { readSummaryStats } from '../query/summary-stats.ts'
import { formatProblem } from './error-text.ts'
import { getReplicas, type ReaderMessage, type ReaderRequest, type StoreThreadData } from './messages.ts'
import { openDatabase } from './open-database.ts'
import { ReplicaReader } from './replica-reader.ts'

/**
 * This is a process, not a thread, because a long-running SQLite statement can be stopped only by
 * killing its process.
 */
endWithParent()

const parent = connectParent<ReaderRequest, ReaderMessage>()
const answers = new Map<number, AsyncIterator<string>>()
let opened: Promise<Database> | undefined
let replicas = new ReplicaReader([])
let nodePurgeTtl = 0

parent.onMessage((request) => {
  if (request.kind === 'open') return void open(request.data)
  const { id } = request
  handleRequest(request).catch((error: unknown) => {
    answers.delete(id)
    const refused = error instanceof PuppetError
    sendMessage({
      kind: refused ? 'refused' : 'failed',
      id,
      message: refused ? error.diagnostic.message : formatProblem(error),
    })
  })
})

function open(data: StoreThreadData): void {
  nodePurgeTtl = data.nodePurgeTtl
  replicas = new ReplicaReader(getReplicas(data.database))
  opened = openDatabase(data.database, { readOnly: true }).then(limitSqliteMemory)
  // Each query reports the error of opening the database.
  opened.catch(() => {})
}

/** Limits SQLite's memory, which is not part of the JavaScript heap and its limit. */
async function limitSqliteMemory(database: Database): Promise<Database> {
  const most = sql.lit(budgets.store.readerMemory.bound)
  if (database.dialect.name === 'sqlite') await database.all(sql`pragma hard_heap_limit = ${most}`)
  return database
}

function handleRequest(request: Exclude<ReaderRequest, { kind: 'open' }>): Promise<void> {
  switch (request.kind) {
    case 'ask':
      return startQuery(request, { now: Date.now(), nodePurgeTtl })
    case 'summary':
      return sendSummary(request.id)
    case 'next':
      return sendNextPiece(request.id)
    case 'stop':
      return stopQuery(request.id)
  }
}

/** A query, and options of its response. */
interface ReaderQuery {
  readonly id: number
  readonly question: QueryRequest
  readonly replica?: number
}

/**
 * Sends the first piece of the response to a query. If a read replica does not respond or fails, for
 * example because it must cancel the query to replay a change, the primary answers.
 */
async function startQuery({ id, question, replica }: ReaderQuery, options: QueryOptions): Promise<void> {
  const copy = replica === undefined ? undefined : await replicas.find(replica)
  const fromReplica = copy && (await readHead(copy, { id, question }, options).catch(() => undefined))
  sendMessage(
    fromReplica
      ? { ...fromReplica, ...(fromReplica.kind === 'head' && { fromReplica: true }) }
      : await readHead(await opened!, { id, question }, options),
  )
}

async function readHead(
  database: Database,
  { id, question }: ReaderQuery,
  options: QueryOptions,
): Promise<Extract<ReaderMessage, { kind: 'head' | 'nothing' }>> {
  const found = await runQuery(database, question, options)
  if (!found) return { kind: 'nothing', id }
  const pieces = found.pieces[Symbol.asyncIterator]()
  answers.set(id, pieces)
  const head = { kind: 'head', id, status: found.status, total: found.total, fromReplica: false } as const
  return { ...head, ...(await gatherPieces(id, pieces)) }
}

async function sendSummary(id: number): Promise<void> {
  const text = JSON.stringify(await readSummaryStats(await opened!, Date.now()))
  sendMessage({ kind: 'head', id, status: 200, total: undefined, text, isLast: true, fromReplica: false })
}

async function sendNextPiece(id: number): Promise<void> {
  const pieces = answers.get(id)
  sendMessage({ kind: 'piece', id, ...(pieces ? await gatherPieces(id, pieces) : { text: '', isLast: true }) })
}

/** Number of characters sent in one message, if that many are available; most responses are shorter. */
const charactersAtOnce = 256 * 1024

async function gatherPieces(id: number, pieces: AsyncIterator<string>): Promise<{ text: string; isLast: boolean }> {
  let text = ''
  while (text.length < charactersAtOnce) {
    const piece = await pieces.next()
    if (piece.done) {
      answers.delete(id)
      return { text, isLast: true }
    }
    text += piece.value
  }
  return { text, isLast: false }
}

async function stopQuery(id: number): Promise<void> {
  const iterator = answers.get(id)
  answers.delete(id)
  await iterator?.return?.()
}

function sendMessage(message: ReaderMessage): void {
  parent.send(message)
}
