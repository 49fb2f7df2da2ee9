// The database of the store: SQLite, or a PostgreSQL of its own, which may be cut off from the server.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../../test/support/real-puppetdb.js'

/** Opens it; `store` is the setting of that name. */
export async function openDatabase(folder, kind) {
  if (kind === 'sqlite') return { store: 'sqlite', crash: async () => {}, stop: async () => {} }
  // The database has a user of its own.
  chmodSync(folder, 0o755)
  const postgres = await startPostgres(join(folder, 'database'))
  postgres.psql('postgres', 'create database store')
  return {
    store: postgres.url('store'),
    /** Ends it without a goodbye, and starts it again after so many milliseconds. */
    async crash(awayMs) {
      await postgres.stop('SIGQUIT')
      await wait(awayMs)
      await postgres.restart()
    },
    stop: () => postgres.stop(),
  }
}
