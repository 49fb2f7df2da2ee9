import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Client } from 'pg'
import { endsWithClient } from './postgresql.ts'

const requireHere = createRequire(import.meta.url)

/** The first key of all our locks of this kind in PostgreSQL; the second one is of the name. */
const lockClass = 0x706c62
/** Seconds after which the database looks for a holder that says nothing, and between looks: a machine that has lost its power holds no lock for long. */
const keepAlive = { idle: 10, interval: 5, count: 3 }

/** A lock that is asked for. */
export interface AdvisoryLock {
  /** The address of a PostgreSQL. */
  readonly url: string
  readonly name: string
  readonly signal?: AbortSignal | undefined
  /** Hears why the database cannot be asked; the work is then done without the lock. */
  readonly unavailable?: (error: unknown) => void
}

/**
 * Does work while nobody else holds the lock of this name. Who ends, however that may be, holds it no more. Throws what
 * `signal` was aborted with while the lock is waited for, and, without `unavailable`, the error of the database.
 */
export async function withAdvisoryLock<Result>(
  { url, name, signal, unavailable }: AdvisoryLock,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const { Client } = requireHere('pg') as typeof import('pg')
  const client = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
  // One that is lost while the work is done: the work goes on, and the lock is another one's.
  client.on('error', () => {})
  const giveUp = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', giveUp)
  try {
    await take(client, name).catch((error) => {
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

async function take(client: Client, name: string): Promise<void> {
  await client.connect()
  const { idle, interval, count } = keepAlive
  const times = `tcp_keepalives_idle = ${idle}; set tcp_keepalives_interval = ${interval}; set tcp_keepalives_count = ${count}`
  await client.query(`set ${times}; ${endsWithClient('session')}`)
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, keyOf(name)])
}

/** Two names of one key wait for each other, which does no harm. */
function keyOf(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE()
}
