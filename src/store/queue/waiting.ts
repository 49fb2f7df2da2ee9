import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Database, first } from '../database/database.ts'
import { recordAt } from './record.ts'
import { segmentFile, segmentsIn } from './segments.ts'

/** The position in a queue up to which its commands were applied. */
export interface Position {
  readonly segment: number
  readonly place: number
}

/** Reads the position up to which a server's queue was applied to a database. */
export async function positionOf(database: Database, server: string): Promise<Position> {
  const query = sql`select segment, place from queue_positions where server = ${server}`
  return (await first<Position>(database, query)) ?? { segment: 0, place: 0 }
}

/** Number of waiting commands, and their total bytes. */
export interface Waiting {
  readonly commands: number
  readonly bytes: number
}

/** Counts the commands after a position of a queue. */
export async function waitingIn(folder: string, position: Position): Promise<Waiting> {
  let [commands, bytes] = [0, 0]
  for (const segment of await segmentsIn(folder).catch(() => [])) {
    if (segment < position.segment) continue
    const from = segment === position.segment ? position.place : 0
    const content = await readFile(segmentFile(folder, segment)).catch(() => Buffer.alloc(0))
    let place = from
    for (let record = recordAt(content, place); record; record = recordAt(content, place)) {
      commands++
      place = record.end
    }
    bytes += place - from
  }
  return { commands, bytes }
}
