import { open, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { isIssue } from '../../base/issue.ts'
import type { Database } from '../database/database.ts'
import { findPermanentProblem } from '../database/outage.ts'
import { catalogStorageIssues } from '../ingest/catalogs.ts'
import { ingest } from '../ingest/ingest.ts'
import { prepareNodeWrite } from '../ingest/write-locks.ts'
import { type QueuePosition, readQueuePosition } from './backlog.ts'
import { discardCommand } from './discarded-commands.ts'
import { type ParsedCommand, readFullCommand, readQueuedCommands } from './queued-commands.ts'
import type { DecodedRecord, QueuedCommand } from './record.ts'
import { readRecords } from './record-reader.ts'
import { getSegmentFile, listQueueSegments } from './segments.ts'

/** Limits of one transaction: the number of records, and their total bytes. */
const mostAtOnce = 64
const mostBytes = 8 * 1024 * 1024

/** A queue and the database to which its commands are applied. */
export interface QueueContext {
  readonly database: Database
  readonly folder: string
  /** Name of this server in the database; each server has a queue of its own. */
  readonly server: string
  /** Called for each processed command, with the error message if the command was discarded. */
  processed(command: QueuedCommand, problem: string | undefined): void
  /** Called after each transaction with the bytes it consumed and its duration in milliseconds. */
  applied(bytes: number, ms: number): void
  /** Awaited between two transactions. */
  between(): Promise<void>
  /** The last position that was reported to `applied`. */
  reached?: QueuePosition
}

/**
 * Applies the waiting commands until the queue is empty. The queue position is written in the same
 * transaction as the commands, so that a crash neither loses a command nor causes it to be applied
 * twice. If the database is unavailable or full, throws the database's error; the position then
 * remains unchanged.
 */
export async function applyQueue(applying: QueueContext): Promise<void> {
  const { database, folder, server } = applying
  let position = await readQueuePosition(database, server)
  await reportCommitted(applying, position)
  const segments = await listQueueSegments(folder)
  for (const segment of segments) {
    if (segment > position.segment) position = { segment, place: 0 }
    if (segment === position.segment) position = await applySegment(applying, position)
    // A segment receives no more commands once a later segment exists.
    if (segment !== segments.at(-1)) await rm(getSegmentFile(folder, segment), { force: true })
  }
}

/**
 * Reports commands whose transaction was committed although the connection broke before the
 * database confirmed it.
 */
async function reportCommitted(applying: QueueContext, position: QueuePosition): Promise<void> {
  const { reached, folder } = applying
  const bytesCommitted = countBytes(applying, position)
  applying.reached = position
  if (!reached || bytesCommitted === 0) return
  const file = await open(getSegmentFile(folder, position.segment), 'r')
  try {
    for (let place = position.place - bytesCommitted; place < position.place; ) {
      const batch = await readRecords(file, place, { records: mostAtOnce, bytes: mostBytes })
      const last = batch.at(-1)
      if (!last) break
      for (const { command, end } of batch)
        if (end <= position.place) applying.processed(command, readFullCommand(command).problem)
      place = last.end
    }
  } finally {
    await file.close()
  }
  applying.applied(bytesCommitted, 0)
}

async function applySegment(applying: QueueContext, { segment, place: from }: QueuePosition): Promise<QueuePosition> {
  const file = await open(getSegmentFile(applying.folder, segment), 'r')
  try {
    let place = from
    while (true) {
      const batch = await readRecords(file, place, { records: mostAtOnce, bytes: mostBytes })
      const last = batch.at(-1)
      if (!last) return { segment, place }
      await applyBatch(applying, batch, { segment, place: last.end })
      place = last.end
      // Let a request to end the thread arrive between two transactions.
      await new Promise(setImmediate)
      await applying.between()
    }
  } finally {
    await file.close()
  }
}

/**
 * Applies records in one transaction. If one of the records cannot be written, applies each record
 * in its own transaction, and discards a record whose transaction fails.
 */
async function applyBatch(
  applying: QueueContext,
  batch: readonly DecodedRecord[],
  position: QueuePosition,
): Promise<void> {
  const commands = batch.map(({ command }) => command)
  try {
    await writeBatch(applying, await readQueuedCommands(applying.database, commands), position)
  } catch (error) {
    if (isIssue(error, catalogStorageIssues.CATALOG_CONTENTS))
      return await writeBatch(applying, commands.map(readFullCommand), position)
    const problem = findPermanentProblem(error)
    if (problem === undefined) throw error
    const [record] = batch
    if (batch.length === 1) return await writeBatch(applying, [{ command: record!.command, problem }], position)
    for (const each of batch) await applyBatch(applying, [each], { segment: position.segment, place: each.end })
  }
}

async function writeBatch(
  applying: QueueContext,
  read: readonly ParsedCommand[],
  position: QueuePosition,
): Promise<void> {
  const { database, server } = applying
  const began = performance.now()
  for (const { command, problem } of read)
    if (problem !== undefined) await discardCommand(applying.folder, command, problem)
  await database.transaction(async (inside) => {
    const certnames = read.flatMap(({ payload }) => (payload ? [payload.payload.certname] : []))
    await prepareNodeWrite(inside, certnames)
    for (const { command, payload } of read) if (payload) await ingest(inside, payload, Date.parse(command.received))
    await inside.run(
      sql`insert into queue_positions (server, segment, place) values (${server}, ${position.segment}, ${position.place})
        on conflict (server) do update set segment = excluded.segment, place = excluded.place`,
    )
  })
  for (const { command, problem } of read) applying.processed(command, problem)
  applying.applied(countBytes(applying, position), performance.now() - began)
  applying.reached = position
}

/** Number of bytes from the last reported position to a position in the same or a later segment. */
function countBytes({ reached }: QueueContext, { segment, place }: QueuePosition): number {
  return reached?.segment === segment ? place - reached.place : place
}
