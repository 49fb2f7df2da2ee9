import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { backupBefore } from '../backup/write.ts'
import { type Database, first } from '../database/database.ts'
import { isAway } from '../database/outage.ts'
import { aloneInside } from '../ingest/beside-others.ts'
import { type Applying, applyQueue } from '../queue/apply.ts'
import { positionOf, waitingIn } from '../queue/waiting.ts'
import { purgeNode } from '../retention/purge-nodes.ts'
import { migrate, versionOf } from '../schema/migrate.ts'
import { Collector } from './collector.ts'
import type { WriterMessage, WriterRequest, WriterThreadData } from './messages.ts'
import { openDatabase } from './open-database.ts'
import { problemOf } from './problem-of.ts'
import { endWhenTold } from './started-thread.ts'

const data = workerData as WriterThreadData
const port = parentPort!
const say = (message: WriterMessage) => port.postMessage(message)

/**
 * First and longest pause in milliseconds between attempts while the database is unavailable or
 * full; each pause is twice the previous one.
 */
const pauses = { first: 250, longest: 30_000 }

/** Milliseconds without a command after which the database is asked to release disk space. */
const restAfter = 5000

const database = await openDatabase(data.database)
endWhenTold(data.ending, database)
await write(database)

/** Applies queued commands as they arrive. Runs collections between transactions and while the queue is empty. */
async function write(written: Database): Promise<void> {
  const { queue: folder, server } = data
  port.on('message', refuseWhileAway)
  await migrated(written, folder)
  const collector = new Collector(written, data, say)
  const work = inTurns({
    ...{ database: written, folder, server },
    processed: ({ uuid }, problem) => say({ kind: 'processed', uuid, problem }),
    applied: (bytes, ms) => say({ kind: 'applied', bytes, ms }),
    async between() {
      // Yield between two transactions, so that requests to end the thread or to start a collection
      // can arrive.
      await new Promise(setImmediate)
      await collector.sliceNow()
    },
  })
  port.off('message', refuseWhileAway)
  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'more') return work()
    if (request.kind === 'collect') return collector.begin(request.request, request.id)
    void remove(written, request.certname, collector).then((outcome) => say({ kind: 'done', id: request.id, outcome }))
  })
  say({ kind: 'ready', waiting: await waitingIn(folder, await positionOf(written, server)) })
  work()
  await collector.plan()
}

/** Migrates the schema as soon as the database is reachable. */
async function migrated(written: Database, folder: string): Promise<void> {
  for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.longest)) {
    const now = Date.now()
    try {
      await versionOf(written)
      say({ kind: 'reached' })
      return await migrate(written, now, { before: backupBefore(written, join(dirname(folder), 'backups'), now) })
    } catch (error) {
      if (!isAway(error)) throw error
      // Count the commands in the whole queue: the database's position determines which of them
      // were applied.
      const waiting = await waitingIn(folder, { segment: 0, place: 0 })
      say({ kind: 'away', problem: problemOf(error), waiting })
      await new Promise((done) => setTimeout(done, pause))
    }
  }
}

/** Rejects requests while the database is unavailable. New commands stay in the queue and are found later. */
function refuseWhileAway(request: WriterRequest): void {
  if (request.kind !== 'more') say({ kind: 'done', id: request.id, outcome: { failed: 'the database is away' } })
}

/**
 * Returns a function that applies the queue, one run at a time, and retries after a pause while the
 * database is unavailable or full.
 */
function inTurns(applying: Applying): () => void {
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
        say({ kind: 'idle' })
        resting = setTimeout(rest, restAfter).unref()
      } catch (error) {
        say({ kind: 'stuck', problem: problemOf(error) })
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
async function remove(written: Database, certname: string, collector: Collector): Promise<'done' | { failed: string }> {
  try {
    await written.transaction(async (inside) => {
      await aloneInside(inside, true)
      const node = await first<{ id: number }>(inside, sql`select id from nodes where certname = ${certname}`)
      if (node) await purgeNode(inside, node.id)
    })
    collector.begin({ parts: ['purge_nodes'], purgeAtMost: 0 })
    return 'done'
  } catch (error) {
    return { failed: problemOf(error) }
  }
}
