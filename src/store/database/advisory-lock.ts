import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'

const requireHere = createRequire(import.meta.url)

/** The first key of all our locks of this kind in PostgreSQL; the second one is of the name. */
const lockClass = 0x706c62
/** Seconds after which the database looks for a holder that says nothing, and between looks: a machine that has lost its power holds no lock for long. */
const keepAlive = { idle: 10, interval: 5, count: 3 }

/** PostgreSQL 14 and newer look every two seconds whether who waits is still there. */
const endsWithClient = `select set_config('client_connection_check_interval', '2s', false)
  where current_setting('server_version_num')::int >= 140000`

/**
 * Does work while nobody else holds the lock of this name in a PostgreSQL, by its address. Who ends, however that may be,
 * holds it no more. Throws the error of the database where it cannot be asked, and what `signal` was aborted with.
 */
export async function withAdvisoryLock<Result>(
  { url, name, signal }: { readonly url: string; readonly name: string; readonly signal?: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const { Client } = requireHere('pg') as typeof import('pg')
  const client = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
  // One that is lost while the work is done: the work goes on, and the lock is another one's.
  client.on('error', () => {})
  const giveUp = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', giveUp)
  try {
    await client.connect()
    await client.query(
      `set tcp_keepalives_idle = ${keepAlive.idle}; set tcp_keepalives_interval = ${keepAlive.interval}; set tcp_keepalives_count = ${keepAlive.count}`,
    )
    await client.query(endsWithClient)
    await client.query('select pg_advisory_lock($1, $2)', [lockClass, keyOf(name)])
    signal?.throwIfAborted()
    return await work()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
    await client.end().catch(() => {})
  }
}

/** Two names of one key wait for each other, which does no harm. */
function keyOf(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE()
}
