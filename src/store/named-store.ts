import { join } from 'node:path'
import type { Settings } from '../settings/settings.ts'
import type { Files } from '../system/system.ts'
import { type DatabasePlace, placeOf } from './thread/messages.ts'
import { queueIn } from './thread/places.ts'

/** The store that the settings name. */
export type NamedStore = { readonly kind: 'none' } | { readonly kind: 'puppetdb' } | OwnStore

/** A store of our own: its folder with the queue, and its database. */
export interface OwnStore {
  readonly kind: 'own'
  readonly folder: string
  /** The address of a PostgreSQL. */
  readonly postgresql?: string
  readonly queue: string
  readonly database: DatabasePlace
}

/** Reads the setting `store`. */
export function namedStore({ store, server_datadir }: Pick<Settings, 'store' | 'server_datadir'>): NamedStore {
  if (store === 'none' || store === '') return { kind: 'none' }
  if (store === 'puppetdb') return { kind: 'puppetdb' }
  const folder = join(server_datadir, 'store')
  const place = store === 'sqlite' ? {} : { postgresql: store }
  return { kind: 'own', folder, queue: queueIn(folder), ...place, database: placeOf(folder, place.postgresql) }
}

/** The file of a store in SQLite that nobody has made yet. */
export async function missingFile({ database }: OwnStore, files: Files): Promise<string | undefined> {
  if (database.kind !== 'sqlite' || (await files.stat(database.file)) !== undefined) return undefined
  return database.file
}
