import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createPuppetError, defineIssues } from '../base/issue.ts'
import { isPermissionError } from '../base/system-error.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { Files } from '../machine/system/system.ts'
import { type DatabaseLocation, getDatabaseLocation } from './thread/messages.ts'
import { getQueueFolder } from './thread/queue-folder.ts'

const issues = defineIssues({
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
  readonly queue: string
  readonly database: DatabaseLocation
}

/** Parses the setting `store`. */
export function parseStoreSetting({
  store,
  server_datadir,
}: Pick<Settings, 'store' | 'server_datadir'>): StoreLocation {
  if (store === 'none' || store === '') return { kind: 'none' }
  if (store === 'puppetdb') return { kind: 'puppetdb' }
  const folder = join(server_datadir, 'store')
  const place = store === 'sqlite' ? {} : { postgresql: store }
  return {
    kind: 'own',
    folder,
    queue: getQueueFolder(folder),
    ...place,
    database: getDatabaseLocation(folder, place.postgresql),
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
