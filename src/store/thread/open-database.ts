import type { Database } from '../database/database.ts'
import { openPostgres } from '../database/postgresql.ts'
import { openSqlite } from '../database/sqlite.ts'
import type { DatabaseLocation } from './messages.ts'

/** Opens the database of a store: SQLite or PostgreSQL. */
export async function openDatabase(place: DatabaseLocation, { readOnly = false } = {}): Promise<Database> {
  return place.kind === 'sqlite' ? openSqlite(place.file, { readOnly }) : openPostgres(place.url)
}
