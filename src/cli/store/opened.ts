import { defineIssues, fail } from '../../base/issue.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Database } from '../../store/database/database.ts'
import { missingFile, namedStore } from '../../store/named-store.ts'
import { openDatabase } from '../../store/thread/open-database.ts'
import type { Invocation } from '../command/command.ts'

const issues = defineIssues({
  STORE_IS_NONE: {
    text: () => 'There is no store: the setting store is none',
    hint: () => 'Set store = sqlite, or the address of a PostgreSQL, in the section [server].',
  },
  STORE_ELSEWHERE: {
    text: () => 'The store is a PuppetDB, and no store of ours',
    hint: () => 'It is looked after by its own commands.',
  },
  STORE_NOT_MADE: {
    text: (a: { file: string }) => `There is no store yet: ${a.file}`,
    hint: () => "The server makes it when it starts; 'plumb store migrate' makes an empty one.",
  },
})

/** A store as the settings name it, opened beside a server that runs, or without one. */
export interface OpenedStore {
  readonly database: Database
  readonly settings: Settings
  /** Its folder. */
  readonly folder: string
  readonly queue: string
  /** The file of SQLite. */
  readonly file: string | undefined
}

/** Works with the store that the settings name. Throws STORE_IS_NONE and STORE_NOT_MADE. */
export async function withStore<Result>(
  { settings: given }: Pick<Invocation, 'settings'>,
  { make }: { readonly make: boolean },
  work: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings({ given, runMode: 'server' })
  const named = namedStore(settings)
  if (named.kind === 'none') fail(issues.STORE_IS_NONE, {})
  if (named.kind === 'puppetdb') fail(issues.STORE_ELSEWHERE, {})
  const { folder, queue, database: place } = named
  const missing = make ? undefined : await missingFile(named, localSystem.files)
  if (missing !== undefined) fail(issues.STORE_NOT_MADE, { file: missing })
  if (make) await localSystem.files.makeDirectory(folder, 0o700)
  const database = await openDatabase(place)
  try {
    return await work({ database, settings, folder, queue, file: place.kind === 'sqlite' ? place.file : undefined })
  } finally {
    await database.close()
  }
}
