import { sql } from 'kysely'
import { type Database, first } from '../database/database.ts'

/**
 * The advisory lock between those who write commands, any number at once, and one who removes what nobody refers to. SQLite
 * needs none: there one writes at a time.
 */
const collectorLock = 0x706c756d

/**
 * Begins to write what is told of some nodes, inside a transaction, while other servers do the same on one PostgreSQL: until its
 * end no row is removed that it finds, and nobody else writes of the same nodes.
 */
export async function besideOthers(inside: Database, certnames: readonly string[]): Promise<void> {
  if (inside.dialect.name === 'sqlite') return
  await inside.all(sql`select pg_advisory_xact_lock_shared(${collectorLock})`)
  await inside.all(
    sql`select id from nodes where certname in (select value from ${inside.dialect.texts(certnames)})
      order by id for update`,
  )
}

/** Keeps others from writing of a node until the end of the transaction. */
export async function lockNode(inside: Database, id: number): Promise<void> {
  if (inside.dialect.name === 'postgresql') await inside.all(sql`select id from nodes where id = ${id} for update`)
}

/**
 * Makes a transaction the only one that writes; false where others do now, and it is not to wait for them.
 * @param wait With it those who come later wait for us.
 */
export async function aloneInside(inside: Database, wait: boolean): Promise<boolean> {
  if (inside.dialect.name === 'sqlite') return true
  if (wait) {
    await inside.all(sql`select pg_advisory_xact_lock(${collectorLock})`)
    return true
  }
  const row = await first<{ alone: boolean }>(inside, sql`select pg_try_advisory_xact_lock(${collectorLock}) as alone`)
  return row?.alone === true
}
