import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { endWithParent } from '../../base/threads/script-process.ts'
import type { Database } from '../database/database.ts'
import { type QueryOptions, type QueryRequest, runQuery } from '../query/execution.ts'
import { readSummaryStats } from '../query/summary-stats.ts'
import { formatProblem } from './error-text.ts'
import type { ReaderMessage, ReaderRequest, StoreThreadData } from './messages.ts'
import { openDatabase } from './open-database.ts'

/**
 * This is a process, not a thread, because a long-running SQLite statement can be stopped only by
 * killing its process.
 */
endWithParent()

const answers = new Map<number, AsyncIterator<string>>()
let opened: Promise<Database> | undefined
let nodePurgeTtl = 0

process.on('message', (request: ReaderRequest) => {
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
      return startQuery(request.id, request.question, { now: Date.now(), nodePurgeTtl })
    case 'summary':
      return sendSummary(request.id)
    case 'next':
      return sendNextPiece(request.id)
    case 'stop':
      return stopQuery(request.id)
  }
}

async function startQuery(id: number, question: QueryRequest, options: QueryOptions): Promise<void> {
  const found = await runQuery(await opened!, question, options)
  if (!found) return sendMessage({ kind: 'nothing', id })
  const pieces = found.pieces[Symbol.asyncIterator]()
  answers.set(id, pieces)
  sendMessage({ kind: 'head', id, status: found.status, total: found.total, ...(await gatherPieces(id, pieces)) })
}

async function sendSummary(id: number): Promise<void> {
  const text = JSON.stringify(await readSummaryStats(await opened!, Date.now()))
  sendMessage({ kind: 'head', id, status: 200, total: undefined, text, isLast: true })
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
  if (process.connected) process.send?.(message)
}
