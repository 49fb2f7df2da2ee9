import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineIssues, errorOf } from '../base/issue.ts'
import { isDenied } from '../base/system-error.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { Files } from '../machine/system/system.ts'
import { type DatabasePlace, placeOf } from './thread/messages.ts'
import { queueIn } from './thread/places.ts'

const issues = defineIssues({
  STORE_DENIED: {
    text: (a: { path: string }) => `Could not read the store of this machine: Permission denied - ${a.path}`,
    hint: () =>
      "Run the command as the server's user or as root. 'plumb query' and 'plumb node' also query a server: --server NAME.",
  },
})

/** The store that is configured in the settings. */
export type NamedStore = { readonly kind: 'none' } | { readonly kind: 'puppetdb' } | OwnStore

/** A store that Plumb itself manages: the folder with its queue, and its database. */
export interface OwnStore {
  readonly kind: 'own'
  readonly folder: string
  /** URL of a PostgreSQL database. */
  readonly postgresql?: string
  readonly queue: string
  readonly database: DatabasePlace
}

/** Parses the setting `store`. */
export function namedStore({ store, server_datadir }: Pick<Settings, 'store' | 'server_datadir'>): NamedStore {
  if (store === 'none' || store === '') return { kind: 'none' }
  if (store === 'puppetdb') return { kind: 'puppetdb' }
  const folder = join(server_datadir, 'store')
  const place = store === 'sqlite' ? {} : { postgresql: store }
  return { kind: 'own', folder, queue: queueIn(folder), ...place, database: placeOf(folder, place.postgresql) }
}

/**
 * Returns the path of the SQLite file if it does not exist yet. Throws STORE_DENIED if this user
 * cannot read the store.
 */
export async function missingFile({ database }: OwnStore, files: Files): Promise<string | undefined> {
  if (database.kind !== 'sqlite') return undefined
  const { file } = database
  const isThere = await allowed(file, async () => (await files.stat(file)) !== undefined)
  if (!isThere) return file
  await allowed(file, () => access(file, constants.R_OK))
  // SQLite creates a shared-memory file beside a database that no other process has open.
  const folder = dirname(file)
  if ((await files.stat(`${file}-shm`)) === undefined) await allowed(folder, () => access(folder, constants.W_OK))
  return undefined
}

/** Converts a denied access to STORE_DENIED, which names the path. */
async function allowed<Result>(path: string, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    if (!isDenied(error)) throw error
    throw errorOf(issues.STORE_DENIED, { path })
  }
}
