import { sql } from 'kysely'
import { type Database, getFirstRow } from '../database/database.ts'

/**
 * Key of an advisory lock. Transactions that write commands share it; a transaction that removes
 * unreferenced rows holds it exclusively. SQLite needs no lock, because it allows only one writer.
 */
const collectorLock = 0x706c756d

/**
 * Prepares a transaction for writing data of some nodes, while other servers may write to the same
 * PostgreSQL database. Until the transaction ends, no other transaction removes rows that it finds
 * or writes data of these nodes.
 */
export async function prepareNodeWrite(inside: Database, certnames: readonly string[]): Promise<void> {
  if (inside.dialect.name === 'sqlite') return
  await inside.all(sql`select pg_advisory_xact_lock_shared(${collectorLock})`)
  await inside.all(
    sql`select id from nodes where certname in (select value from ${inside.dialect.texts(certnames)})
      order by id for update`,
  )
}

/** Locks a node against other writers until the end of the transaction. */
export async function lockNode(inside: Database, id: number): Promise<void> {
  if (inside.dialect.name === 'postgresql') await inside.all(sql`select id from nodes where id = ${id} for update`)
}

/**
 * Makes this transaction the only writer. Returns false if other transactions are writing and
 * `wait` is false.
 * @param wait True to wait for transactions that are writing; later writers then wait for this
 * transaction.
 */
export async function acquireExclusiveAccess(inside: Database, wait: boolean): Promise<boolean> {
  if (inside.dialect.name === 'sqlite') return true
  if (wait) {
    await inside.all(sql`select pg_advisory_xact_lock(${collectorLock})`)
    return true
  }
  const row = await getFirstRow<{ alone: boolean }>(
    inside,
    sql`select pg_try_advisory_xact_lock(${collectorLock}) as alone`,
  )
  return row?.alone === true
}
