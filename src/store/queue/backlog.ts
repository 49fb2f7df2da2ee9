import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'
import { decodeRecord } from './record.ts'
import { getSegmentFile, listQueueSegments } from './segments.ts'

/** The position in a queue up to which its commands were applied. */
export interface QueuePosition {
  readonly segment: number
  readonly place: number
}

/** Reads the position up to which a server's queue was applied to a database. */
export async function readQueuePosition(database: Database, server: string): Promise<QueuePosition> {
  const query = sql`select segment, place from queue_positions where server = ${server}`
  return (await getFirstRow<QueuePosition>(database, query)) ?? { segment: 0, place: 0 }
}

/** Number of waiting commands, and their total bytes. */
export interface QueueBacklog {
  readonly commands: number
  readonly bytes: number
}

/** Counts the commands after a position of a queue. */
export async function countQueueBacklog(folder: string, position: QueuePosition): Promise<QueueBacklog> {
  let [commands, bytes] = [0, 0]
  for (const segment of await listQueueSegments(folder).catch(() => [])) {
    if (segment < position.segment) continue
    const from = segment === position.segment ? position.place : 0
    const content = await readFile(getSegmentFile(folder, segment)).catch(() => Buffer.alloc(0))
    let place = from
    for (let record = decodeRecord(content, place); record; record = decodeRecord(content, place)) {
      commands++
      place = record.end
    }
    bytes += place - from
  }
  return { commands, bytes }
}
