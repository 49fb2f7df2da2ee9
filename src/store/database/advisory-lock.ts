import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Sql } from './dialect.ts'
import { buildClientCheck } from './postgresql.ts'

const requireHere = createRequire(import.meta.url)

/**
 * First key of Plumb's advisory locks in PostgreSQL; the second key is derived from the lock's
 * name.
 */
const lockClass = 0x706c62
/**
 * TCP keepalive in seconds: the idle time before the first probe, and the interval between probes.
 * With it, PostgreSQL releases the lock soon after the holder's machine lost power.
 */
const keepAlive = { idle: 10, interval: 5, count: 3 }

/** A lock to be acquired. */
export interface AdvisoryLock {
  /** URL of a PostgreSQL database. */
  readonly url: string
  readonly name: string
  readonly signal?: AbortSignal | undefined
  /** Called if the database is unavailable; the work then runs without the lock. */
  readonly unavailable?: (error: unknown) => void
}

/**
 * Runs `work` while holding the lock; PostgreSQL releases the lock if this process ends in any way.
 * If `signal` is aborted during the wait, throws its reason. Throws the database's error, unless
 * `unavailable` is given.
 */
export async function withAdvisoryLock<Result>(
  { url, name, signal, unavailable }: AdvisoryLock,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const { Client } = requireHere('pg') as typeof import('pg')
  const client = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
  // If the connection breaks during the work, the work continues although another process may get
  // the lock.
  client.on('error', () => {})
  const giveUp = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', giveUp)
  try {
    await acquireLock(client, name).catch((error) => {
      signal?.throwIfAborted()
      if (!unavailable) throw error
      unavailable(error)
    })
    signal?.throwIfAborted()
    return await work()
  } finally {
    signal?.removeEventListener('abort', giveUp)
    await client.end().catch(() => {})
  }
}

/** Statement that takes a lock until the end of the transaction. */
export const lockTransaction = (name: string): Sql =>
  sql`select pg_advisory_xact_lock(${lockClass}::int, ${computeLockKey(name)}::int)`

async function acquireLock(client: Client, name: string): Promise<void> {
  await client.connect()
  const { idle, interval, count } = keepAlive
  const times = `tcp_keepalives_idle = ${idle}; set tcp_keepalives_interval = ${interval}; set tcp_keepalives_count = ${count}`
  await client.query(`set ${times}; ${buildClientCheck('session')}`)
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, computeLockKey(name)])
}

/**
 * Second key of a lock. If two locks have the same key, they only block each other, which is
 * harmless.
 */
function computeLockKey(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE()
}
