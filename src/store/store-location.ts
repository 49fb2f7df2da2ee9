import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createPuppetError, defineIssues, throwIssue } from '../base/issue.ts'
import { isPermissionError } from '../base/system-error.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { Files } from '../machine/system/system.ts'
import { type DatabaseLocation, getDatabaseLocation } from './thread/messages.ts'
import { getQueueFolder } from './thread/queue-folder.ts'

const issues = defineIssues({
  REPLICAS_OF_NOTHING: {
    text: () => 'The setting store_replicas requires a PostgreSQL server in the setting store',
    hint: () => 'Remove store_replicas, or set store to the URL of the primary: postgresql://user@host/database.',
  },
  STORE_DENIED: {
    text: (a: { path: string }) => `Could not read the store of this machine: Permission denied - ${a.path}`,
    hint: () =>
      "Run the command as the server's user or as root. 'plumb query' and 'plumb node' also query a server: --server NAME.",
  },
})

/** The store that is configured in the settings. */
export type StoreLocation = { readonly kind: 'none' } | { readonly kind: 'puppetdb' } | OwnStore

/** A store that Plumb itself manages: the folder with its queue, and its database. */
export interface OwnStore {
  readonly kind: 'own'
  readonly folder: string
  /** URL of a PostgreSQL database. */
  readonly postgresql?: string
  /** URLs of the database's read replicas. */
  readonly replicas: readonly string[]
  readonly queue: string
  readonly database: DatabaseLocation
}

/** Parses the settings `store` and `store_replicas`. Throws REPLICAS_OF_NOTHING. */
export function parseStoreSetting({
  store,
  store_replicas: replicas,
  server_datadir,
}: Pick<Settings, 'store' | 'store_replicas' | 'server_datadir'>): StoreLocation {
  const isPostgres = !['none', '', 'puppetdb', 'sqlite'].includes(store)
  if (replicas.length > 0 && !isPostgres) throwIssue(issues.REPLICAS_OF_NOTHING, {})
  if (store === 'none' || store === '') return { kind: 'none' }
  if (store === 'puppetdb') return { kind: 'puppetdb' }
  const folder = join(server_datadir, 'store')
  const place = isPostgres ? { postgresql: store } : {}
  return {
    kind: 'own',
    folder,
    queue: getQueueFolder(folder),
    ...place,
    replicas,
    database: getDatabaseLocation(folder, place.postgresql, replicas),
  }
}

/**
 * Returns the path of the SQLite file if it does not exist yet. Throws STORE_DENIED if this user
 * cannot read the store.
 */
export async function findMissingFile({ database }: OwnStore, files: Files): Promise<string | undefined> {
  if (database.kind !== 'sqlite') return undefined
  const { file } = database
  const isThere = await checkStoreAccess(file, async () => (await files.stat(file)) !== undefined)
  if (!isThere) return file
  await checkStoreAccess(file, () => access(file, constants.R_OK))
  // SQLite creates a shared-memory file beside a database that no other process has open.
  const folder = dirname(file)
  if ((await files.stat(`${file}-shm`)) === undefined)
    await checkStoreAccess(folder, () => access(folder, constants.W_OK))
  return undefined
}

/** Converts a denied access to STORE_DENIED, which names the path. */
async function checkStoreAccess<Result>(path: string, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    if (!isPermissionError(error)) throw error
    throw createPuppetError(issues.STORE_DENIED, { path })
  }
}
