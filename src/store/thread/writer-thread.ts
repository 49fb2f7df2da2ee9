import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { packError } from '../../base/threads/packed-error.ts'
import { createMigrationBackup } from '../backup/write.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { isDatabaseUnavailable } from '../database/outage.ts'
import { acquireExclusiveAccess } from '../ingest/write-locks.ts'
import { openStoredOrders } from '../orders/stored-orders.ts'
import { countQueueBacklog, readQueuePosition } from '../queue/backlog.ts'
import { applyQueue, type QueueContext } from '../queue/queue-application.ts'
import { purgeNode } from '../retention/node-purge.ts'
import { openStoredRollouts } from '../rollouts/stored-rollouts.ts'
import { migrateDatabase, readSchemaVersion } from '../schema/migrations.ts'
import { CollectionScheduler } from './collector.ts'
import { formatProblem } from './error-text.ts'
import type { RowCall, RowOutcome, RowSets, WriterMessage, WriterRequest, WriterThreadData } from './messages.ts'
import { openDatabase } from './open-database.ts'
import { watchReplicas } from './replica-watch.ts'
import { endOnRequest } from './writer-start.ts'

const data = workerData as WriterThreadData
const port = parentPort!
const sendMessage = (message: WriterMessage) => port.postMessage(message)

/**
 * First and longest pause in milliseconds between attempts while the database is unavailable or
 * full; each pause is twice the previous one.
 */
const pauses = { first: 250, longest: 30_000 }

/** Milliseconds without a command after which the database is asked to release disk space. */
const restAfter = 5000

// An error ends the thread.
void runWriter()

async function runWriter(): Promise<void> {
  const database = await openDatabase(data.database)
  endOnRequest(data.ending, database)
  void watchReplicas(data.database, (states) => sendMessage({ kind: 'replicas', states }))
  await applyCommands(database)
}

/** Applies queued commands as they arrive. Runs collections between transactions and while the queue is empty. */
async function applyCommands(written: Database): Promise<void> {
  const { queue: folder, server } = data
  port.on('message', rejectWhileUnavailable)
  await migrateWhenReachable(written, folder)
  const collector = new CollectionScheduler(written, data, sendMessage)
  const work = createQueueRunner({
    ...{ database: written, folder, server },
    processed: ({ uuid }, problem) => sendMessage({ kind: 'processed', uuid, problem }),
    applied: (bytes, ms) => sendMessage({ kind: 'applied', bytes, ms }),
    async between() {
      // Yield between two transactions, so that requests to end the thread or to start a collection
      // can arrive.
      await new Promise(setImmediate)
      await collector.sliceNow()
    },
  })
  port.off('message', rejectWhileUnavailable)
  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'more') return work()
    if (request.kind === 'collect') return collector.begin(request.request, request.id)
    if (request.kind === 'rows')
      return void callRows(written, request).then((outcome) => sendMessage({ kind: 'rows', id: request.id, outcome }))
    void removeNode(written, request.certname, collector).then((outcome) =>
      sendMessage({ kind: 'done', id: request.id, outcome }),
    )
  })
  sendMessage({ kind: 'ready', waiting: await countQueueBacklog(folder, await readQueuePosition(written, server)) })
  work()
  await collector.plan()
}

/** Migrates the schema as soon as the database is reachable. */
async function migrateWhenReachable(written: Database, folder: string): Promise<void> {
  for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.longest)) {
    const now = Date.now()
    try {
      await readSchemaVersion(written)
      sendMessage({ kind: 'reached' })
      return await migrateDatabase(written, now, {
        before: createMigrationBackup(written, join(dirname(folder), 'backups'), now),
      })
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      // Count the commands in the whole queue: the database's position determines which of them
      // were applied.
      const waiting = await countQueueBacklog(folder, { segment: 0, place: 0 })
      sendMessage({ kind: 'away', problem: formatProblem(error), waiting })
      await new Promise((done) => setTimeout(done, pause))
    }
  }
}

/** Rejects requests while the database is unavailable. New commands stay in the queue and are found later. */
function rejectWhileUnavailable(request: WriterRequest): void {
  const failed = 'the database is unavailable'
  if (request.kind === 'rows')
    sendMessage({ kind: 'rows', id: request.id, outcome: { failed: packError(new Error(failed)) } })
  else if (request.kind !== 'more') sendMessage({ kind: 'done', id: request.id, outcome: { failed } })
}

async function callRows(written: Database, { target, method, values }: RowCall): Promise<RowOutcome> {
  const sets: RowSets = { orders: openStoredOrders(written), rollouts: openStoredRollouts(written) }
  try {
    const methods = sets[target] as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>
    return { value: await methods[method]!(...values) }
  } catch (error) {
    return { failed: packError(error) }
  }
}

/**
 * Returns a function that applies the queue, one run at a time, and retries after a pause while the
 * database is unavailable or full.
 */
function createQueueRunner(applying: QueueContext): () => void {
  const { database } = applying
  let [asked, running, pause] = [false, false, pauses.first]
  let resting: NodeJS.Timeout | undefined
  // A failure is ignored: the database tries again after the next write.
  const rest = () => void database.rest?.().catch(() => {})
  const run = async () => {
    running = true
    while (asked) {
      asked = false
      try {
        await applyQueue(applying)
        pause = pauses.first
        if (asked) continue
        sendMessage({ kind: 'idle' })
        resting = setTimeout(rest, restAfter).unref()
      } catch (error) {
        sendMessage({ kind: 'stuck', problem: formatProblem(error) })
        await new Promise((done) => setTimeout(done, pause))
        pause = Math.min(pause * 2, pauses.longest)
        asked = true
      }
    }
    running = false
  }
  return () => {
    asked = true
    clearTimeout(resting)
    if (!running) void run()
  }
}

/** Purges a node and starts a collection that removes its remaining rows. */
async function removeNode(
  written: Database,
  certname: string,
  collector: CollectionScheduler,
): Promise<'done' | { failed: string }> {
  try {
    await written.transaction(async (inside) => {
      await acquireExclusiveAccess(inside, true)
      const node = await getFirstRow<{ id: number }>(inside, sql`select id from nodes where certname = ${certname}`)
      if (node) await purgeNode(inside, node.id)
    })
    collector.begin({ parts: ['purge_nodes'], purgeAtMost: 0 })
    return 'done'
  } catch (error) {
    return { failed: formatProblem(error) }
  }
}
